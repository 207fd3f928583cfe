"""The commands of players, one file a command or family."""
