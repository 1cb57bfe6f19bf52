"""Records: a game as JSON lines; its format, reading, writing and replaying."""
