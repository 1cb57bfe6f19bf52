"""The games that the core ships."""
