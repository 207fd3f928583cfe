"""Draws that nobody has to take on trust (PBEM-DICE/1).

`streams` turns a key and a label into dice and shuffled cards; `seeds` holds the two committed chains of
keys; `merkle` and `receipts` seal cards and orders; `log` is the hash-chained record of a game; `croupier`
draws in live play and writes that record; `audit` checks an exported record without the moderator and gives
a `verdicts` record with the statistics of the dice. `docs/dice.md` says what a player can check and how.
"""
