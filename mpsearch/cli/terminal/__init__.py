"""A person at a terminal: prompts, boards, progress."""
