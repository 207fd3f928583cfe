"""The game master's commands and acts."""
