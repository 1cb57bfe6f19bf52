"""Broken examples, one or more for every rule of the contract."""
