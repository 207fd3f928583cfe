"""The log of a game: entries, receipts, seals."""
