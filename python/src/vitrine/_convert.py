"""Turns objects into parts of a page. Libraries are recognized by name, and are loaded only if the caller uses them."""

from __future__ import annotations

import os
import re
import sys
from html import escape
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple

from . import _libraries as libraries
from ._errors import VitrineError
from ._parts import Files, Part
from ._paths import PAGES, is_html, read_path

# By the module and name of a class or of one of its base classes.
CONVERTERS: Dict[Tuple[str, str], Callable[[Any, Files], Part]] = {
    ("matplotlib", "Figure"): libraries.matplotlib_figure,
    ("matplotlib", "Axes"): libraries.matplotlib_owner,
    ("seaborn", "Grid"): libraries.matplotlib_owner,
    ("plotly", "BaseFigure"): libraries.plotly_figure,
    ("altair", "TopLevelMixin"): libraries.altair_chart,
    ("bokeh", "Model"): libraries.bokeh_model,
    ("pandas", "DataFrame"): libraries.pandas_frame,
    ("pandas", "Series"): libraries.pandas_series,
    ("pandas", "Styler"): libraries.pandas_styler,
    ("great_tables", "GT"): libraries.great_table,
    ("folium", "Map"): libraries.folium_map,
    ("branca", "Figure"): libraries.folium_map,
    ("pyvis", "Network"): libraries.pyvis_network,
}

IMAGES = (
    (b"\x89PNG\r\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"<svg", "svg"),
    (b"<?xml", "svg"),
)


def convert(obj: Any, files: Files) -> Part:
    """Returns the part of a page that shows an object. Adds the files that it needs."""
    if isinstance(obj, os.PathLike):
        return _from_path(Path(os.fspath(obj)), files)
    if isinstance(obj, (bytes, bytearray, memoryview)):
        return _from_bytes(bytes(obj), files)
    converter = _find_converter(obj)
    return converter(obj, files) if converter else _from_representation(obj, files)


def _find_converter(obj: Any) -> Optional[Callable[[Any, Files], Part]]:
    for base in type(obj).__mro__:
        converter = CONVERTERS.get((base.__module__.partition(".")[0], base.__name__))
        if converter is not None:
            return converter
    # matplotlib.pyplot means the current figure.
    if obj is sys.modules.get("matplotlib.pyplot"):
        return lambda pyplot, files: libraries.matplotlib_figure(pyplot.gcf(), files)
    return None


def _from_path(path: Path, files: Files) -> Part:
    if path.is_dir():
        raise VitrineError(f'"{path}" is a directory. Publish it alone, or add its files.')
    content = read_path(path)
    if path.suffix.lower() in PAGES:
        return Part(document=content.decode("utf-8", "replace"), title=path.stem)
    if path.suffix.lower() == ".ipynb":
        from ._notebook import convert_notebook

        return Part(document=convert_notebook(content), title=path.stem)
    name = files.add_named(path.name, content)
    if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"):
        return _image(name, path.stem)
    return Part(html=f'<p><a href="{name}?download">{escape(path.name)}</a></p>', title=path.stem)


def _image(name: str, description: str = "") -> Part:
    return Part(html=f'<div class="part"><img src="{name}" alt="{escape(description, quote=True)}"></div>')


def _from_bytes(content: bytes, files: Files) -> Part:
    for start, ending in IMAGES:
        if content.lstrip()[: len(start)] == start:
            return _image(files.add("image", ending, content), "Image")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _image(files.add("image", "webp", content), "Image")
    if is_html(content):
        return _from_html(content.decode("utf-8", "replace"))
    raise VitrineError("These bytes are neither HTML nor an image (PNG, JPEG, GIF, WebP or SVG).")


def _from_html(html: str) -> Part:
    if re.match(r"\s*(<!doctype|<html)", html, re.IGNORECASE):
        title = re.search(r"<title[^>]*>([^<]*)</title>", html, re.IGNORECASE)
        return Part(document=html, title=title.group(1).strip() if title else "")
    return Part(html=f'<div class="part">{html}</div>')


def _from_representation(obj: Any, files: Files) -> Part:
    """Uses what the object shows in Jupyter."""
    bundle = _call(obj, "_repr_mimebundle_") or {}
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    html = _call(obj, "_repr_html_") or data.get("text/html")
    if html:
        return _from_html(html)
    for media_type, ending, method in (
        ("image/svg+xml", "svg", "_repr_svg_"),
        ("image/png", "png", "_repr_png_"),
        ("image/jpeg", "jpg", "_repr_jpeg_"),
    ):
        image = _call(obj, method) or data.get(media_type)
        if image:
            content = _image_bytes(image[0] if isinstance(image, tuple) else image, ending)
            return _image(files.add("image", ending, content), type(obj).__name__)
    text = _call(obj, "_repr_markdown_") or data.get("text/markdown") or data.get("text/plain")
    if text:
        return Part(html=f'<div class="part"><pre>{escape(text)}</pre></div>')
    kind = f"{type(obj).__module__}.{type(obj).__qualname__}"
    raise VitrineError(
        f"Can't publish an object of type {kind}: it has no HTML or image representation. "
        "Pass a chart, a table, a path, or an object with _repr_html_()."
    )


def _call(obj: Any, method: str) -> Any:
    # A class has its methods without an object to call them on.
    function = None if isinstance(obj, type) else getattr(obj, method, None)
    return function() if callable(function) else None


def _image_bytes(image: Any, ending: str) -> bytes:
    if isinstance(image, bytes):
        return image
    if ending == "svg":
        return str(image).encode()
    from base64 import b64decode

    return b64decode(image)
