"""Draws in live play: seeds, streams, the croupier."""
