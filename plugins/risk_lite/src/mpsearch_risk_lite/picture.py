from typing import Any
def draw(world: Any, s: Any, *, colour: bool) -> str: return ""
