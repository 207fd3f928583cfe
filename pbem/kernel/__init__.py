"""What every game is made of: tables, questions, answers, draws, events, checkpoints, views.

Pure: no clock, no input or output, no randomness of its own. A game is a deterministic function of its
set-up, its draws and the answers of its seats; so the journal of answers is the game.
"""
