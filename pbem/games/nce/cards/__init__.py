"""7: cards: decks and hands, events by the vocabulary of the card table, cards in battle and at another's moment."""
