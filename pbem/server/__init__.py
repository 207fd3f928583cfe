"""The running program: configuration, wiring, the daemon and its workers."""
