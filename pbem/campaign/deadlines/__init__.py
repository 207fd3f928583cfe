"""When answers are due, who is reminded, and what a missed deadline means."""
