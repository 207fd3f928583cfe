"""The map of countries."""
