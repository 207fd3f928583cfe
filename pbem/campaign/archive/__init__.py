"""Whole games afterwards: chronicle, dice page, replay, audit."""
