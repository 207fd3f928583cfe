"""The map of a hex board."""
