"""What a report consists of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, List

from ._errors import VitrineError

FILE_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass
class Part:
    """A piece of a page: either ``html`` to put into the page, or a ``document`` that is a whole page."""

    html: str = ""
    document: str = ""
    #: The title that the object itself has, if any.
    title: str = ""
    #: Elements for the head of the page, without repetitions.
    head: List[str] = field(default_factory=list)


class Files:
    """The files of a report beside ``index.html``, and what to tell its publisher."""

    def __init__(self) -> None:
        self.contents: Dict[str, bytes] = {}
        self.notes: List[str] = []
        self._counts: Dict[str, int] = {}

    def number(self, kind: str) -> int:
        """Counts objects of a kind. Numbers are the same in each run, unlike random identifiers."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._counts[kind]

    def add(self, kind: str, ending: str, content: bytes) -> str:
        """Adds a file, and returns its name, such as ``figure-1.svg``."""
        name = f"{kind}-{self.number(kind)}.{ending}"
        while name in self.contents:
            name = f"{kind}-{self.number(kind)}.{ending}"
        return self.add_named(name, content)

    def add_named(self, name: str, content: bytes) -> str:
        """Adds a file under its own name. The same file can be added again."""
        safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "file"
        if safe == "index.html" or self.contents.get(safe, content) != content:
            raise VitrineError(f'The report has two files named "{safe}". Rename one of them.')
        self.contents[safe] = content
        return safe
