"""Studies over many games: Opponent Impact, opponent models, tuning, the papers' experiments."""
