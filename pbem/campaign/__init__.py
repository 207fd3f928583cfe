"""A game's life: letters come in, are carried out in one transaction, and are answered."""
