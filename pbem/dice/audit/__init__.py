"""Checking a log: the auditor, its verdicts, the stand-alone verifier."""
