"""Two-phase: a race with contact first and none later."""
