"""A letter comes in: who sent it, whether it is genuine, what it asks for."""
