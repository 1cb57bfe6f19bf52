"""Bingo: no player can affect another."""
