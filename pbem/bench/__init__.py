"""Measurements, each a figure or a ratio to a floor of the same run."""
