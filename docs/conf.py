"""The documentation site: `uv run --group docs sphinx-build -W -n docs site`."""

import importlib.metadata
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_site"))

project = "mpsearch"
author = "the mpsearch maintainers"
release = version = importlib.metadata.version("mpsearch")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "outside_pages",
    "command_reference",
    "public_names",
]
html_theme = "furo"
html_title = "mpsearch"
html_show_copyright = False
html_static_path = ["images", "_site/static"]
html_css_files = ["site.css"]
#: `name` in docstrings.
default_role = "literal"
exclude_patterns = ["README.md"]
suppress_warnings = ["mystnb.unknown_mime_type"]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

autodoc_typehints_format = "short"
autodoc_type_aliases = {"Array": "Array"}
python_maximum_signature_line_length = 90
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
