"""Bingo: nobody can do anything about anybody."""
