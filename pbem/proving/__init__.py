"""Proofs on this machine: rule cases, coverage, fuzz, checks, simulated months."""
