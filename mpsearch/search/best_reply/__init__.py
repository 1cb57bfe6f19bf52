"""Best-reply search."""
