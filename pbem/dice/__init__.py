"""Draws that nobody has to take on trust (PBEM-DICE/1).

`streams` turns a key and a label into dice and shuffled cards; `seeds` holds the two committed chains of
keys; `merkle` and `receipts` seal cards and orders; `log` is the hash-chained record of a game; `croupier`
draws in live play and writes that record. With a public beacon, `rounds` says which round a step must wait
for, `beacon` fetches it, `bls` (or a library, by `pairing`) checks its signature.

`audit` checks an exported record without the moderator: `auditor` goes through it, `mailbox` reads what a
player's own letters say, `demanded` notes what a replay asks for, and the outcome is a `verdicts` record.
`verifier` puts these together as one file and as a page for the browser. `byhand` and `readable` show single
rolls and whole battles, `luck` and `plots` how the dice fell. `docs/dice.md` says what a player can check
and how, `docs/dice-paper.md` why it holds.
"""
