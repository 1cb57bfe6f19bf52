"""Agents: from a text such as `mpmix:td=25,depth=4` to a player."""

from mpsearch.agents.allowed_programs import allow_program, check_agents
from mpsearch.agents.build import branching_offer, make_agent, make_space, settled_text, spelled_out
from mpsearch.agents.explanation import Explanation, best_first
from mpsearch.agents.names import names_of
from mpsearch.agents.presets import GENERAL, preset_names, presets_of
from mpsearch.agents.program import PROTOCOL, ProgramPlayer, event_text, legal_texts, turn_text
from mpsearch.agents.search_agent import SearchAgent
from mpsearch.agents.text import COMMON, LIMITS, PROGRAM, TREE, AgentText, is_program, read_agent
from mpsearch.agents.tree_svg import svg_tree
from mpsearch.agents.tree_text import draw_tree
from mpsearch.agents.why_in_words import Names, listed, number, reasons
from mpsearch.agents.wrapped_player import WrappedPlayer
