"""A neutral moderator for board wargames played by mail."""

__version__ = "0.1.0"
