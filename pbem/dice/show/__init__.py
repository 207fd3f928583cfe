"""Dice for people: by hand, luck, readable logs."""
