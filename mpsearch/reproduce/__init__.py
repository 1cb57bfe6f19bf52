"""The papers' experiments: shipped designs, what was printed of them, and verdicts on ours."""
