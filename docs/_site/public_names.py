"""References from signatures: to the public name of what is documented, else plain text.

Annotations name the module a class is defined in (`mpsearch.contracts.game.Game`); it is
documented where people import it from (`mpsearch.contracts.Game`).
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.util.nodes import make_refnode


def public_reference(app: Any, env: Any, node: Any, contents: Any) -> Any:
    """Lead a reference of the Python domain to the documented object of that name."""
    if node.get("refdomain") != "py":
        return None
    name = node.get("reftarget", "").rpartition(".")[2]
    domain = env.get_domain("py")
    for package in ("mpsearch", "mpsearch.contracts", "mpsearch.gamekit", "mpsearch.errors"):
        if f"{package}.{name}" in domain.objects:
            found = domain.objects[f"{package}.{name}"]
            return make_refnode(
                app.builder, node["refdoc"], found.docname, found.node_id, contents, name
            )
    return contents


def plain_aliases(
    app: Any, what: str, name: str, thing: Any, options: Any, signature: Any, returned: Any
) -> tuple[str | None, str | None] | None:
    """Write `Array` for the placeholder that stands for an alias inside another type."""
    if not signature:  # attributes have none
        return None
    alias = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
    return alias.sub(r"\1", signature), returned and alias.sub(r"\1", returned)


def setup(app: Any) -> dict[str, bool]:
    app.connect("missing-reference", public_reference)
    app.connect("autodoc-process-signature", plain_aliases)
    return {"parallel_read_safe": True}
