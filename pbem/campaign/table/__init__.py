"""Games in play, held in memory, and the transaction that writes down what a letter brings about."""
