"""Who plays by himself: at random, as a caretaker, with sense."""
