"""From text to orders: names, patterns, plans and standing orders; answers, forms, help; a letter's commands.

What a game declares once about an order is read here, in English and French, as people write it. Nothing is
guessed between two meanings, and nothing raises: what cannot be read is a `Problem` that says why.
"""
