"""The map of a battlefield with areas."""
