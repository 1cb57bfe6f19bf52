"""Agents: from a text such as `mpmix:td=25,depth=4` to a player."""

from mpsearch.agent.build import make_agent
from mpsearch.agent.searcher import SearchAgent
from mpsearch.agent.text import AgentText, read_agent

__all__ = ["AgentText", "SearchAgent", "make_agent", "read_agent"]
