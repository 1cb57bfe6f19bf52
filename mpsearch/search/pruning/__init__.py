"""Pruning: what a social matrix and bounds on evaluations allow to skip."""
