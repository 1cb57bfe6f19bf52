"""The page: tables in a browser. No logic of its own; it shows views and passes moves on.

Import order, lowest first: allowance, messages, story, screen, person, session, hall, advice,
connection, guard, app, server.
"""
