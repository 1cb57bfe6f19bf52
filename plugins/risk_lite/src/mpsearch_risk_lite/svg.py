from typing import Any
def draw(world: Any, s: Any) -> str: return ""
