"""The web server and its page: games in a browser."""

from mpsearch.web.rate_limit import RateLimit
from mpsearch.web.server import Server
from mpsearch.web.tables import Tables

__all__ = ["RateLimit", "Server", "Tables"]
