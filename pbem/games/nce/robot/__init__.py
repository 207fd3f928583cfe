"""Robots: one that does anything legal, one that plays to win, and the caretaker of an empty seat."""
