"""6, 9, 16: what powers do: the interphase, budgets, diplomacy, conquest and peace."""
