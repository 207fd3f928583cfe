"""The public beacon: rounds and their signatures."""
