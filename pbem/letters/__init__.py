"""Letters: bytes to what a person wrote, and our own letters to bytes. Pure: no clock, no I/O."""
