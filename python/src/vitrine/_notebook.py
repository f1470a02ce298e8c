from __future__ import annotations

import json

from ._errors import VitrineError


def convert_notebook(content: bytes) -> str:
    """Returns a notebook as an HTML page. Requires nbconvert."""
    try:
        import nbformat
        from nbconvert import HTMLExporter
    except ImportError:
        raise VitrineError("Publishing a notebook requires nbconvert. Install it with pip install nbconvert.") from None
    try:
        notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    except (ValueError, KeyError, AttributeError, json.JSONDecodeError):
        raise VitrineError("This isn't a Jupyter notebook.") from None
    html, _ = HTMLExporter().from_notebook_node(notebook)
    return str(html)
