"""Files and directories as they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, Optional

from ._errors import VitrineError
from ._parts import FILE_NAME

PAGES = (".html", ".htm", ".xhtml")


def as_files(obj: Any) -> Optional[Dict[str, bytes]]:
    """Returns the files of a report that exists already: a directory, a page, or HTML. None for anything else."""
    if isinstance(obj, (bytes, bytearray, memoryview)):
        content = bytes(obj)
        return {"index.html": content} if is_html(content) else None
    if not isinstance(obj, os.PathLike):
        return None
    path = Path(os.fspath(obj))
    if path.is_dir():
        return _read_directory(path)
    if path.suffix.lower() in PAGES:
        return {"index.html": read_path(path)}
    return None


def read_path(path: Path) -> bytes:
    """Returns the content of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise VitrineError(f'Can\'t read "{path}": {error.strerror}.') from None


def is_html(content: bytes) -> bool:
    """Returns whether this is an HTML document, and not an image such as SVG."""
    start = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith(b"<") and not start.startswith((b"<svg", b"<?xml"))


def path_or_html(text: str) -> Any:
    """Returns the path that a text names, or the bytes of HTML."""
    if text.lstrip().startswith("<"):
        return text.encode()
    if not text.strip():
        raise VitrineError("The text is empty. Pass the path of a file or directory, or HTML.")
    path = Path(text)
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        return path
    raise VitrineError(f'"{text[:80]}" doesn\'t exist. Pass the path of a file or directory, or HTML.')


def _read_directory(directory: Path) -> Dict[str, bytes]:
    entries = sorted(entry for entry in directory.iterdir() if not entry.name.startswith("."))
    nested = [entry.name for entry in entries if entry.is_dir()]
    if nested:
        raise VitrineError(
            f'"{directory}" has subdirectories ({", ".join(nested[:3])}), and a report is a flat set of files. '
            "The command vitrine publish --flatten moves files and updates references."
        )
    odd = [entry.name for entry in entries if not FILE_NAME.fullmatch(entry.name)]
    if odd:
        raise VitrineError(f'"{odd[0]}" isn\'t a valid file name. Use letters, digits, dots, underscores and hyphens.')
    if not (directory / "index.html").is_file():
        raise VitrineError(f'"{directory}" has no index.html.')
    return {entry.name: read_path(entry) for entry in entries}
