"""The page: games in a browser. No logic of its own; it shows views and passes moves on.

Import order, lowest first: rate_limit, scheduler, inbound, viewer, person, budget, background,
session, keys, tables, hints, websocket, analysis, analysis_socket, security, lobby, app,
http_limits, server.
"""

from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.server import Server, usual_folder
from mpsearch.web.tables import Tables

__all__ = [
    "RateLimit",
    "Server",
    "Tables",
    "usual_folder",
]
