from __future__ import annotations

from html import escape
from types import TracebackType
from typing import Any, Dict, Iterable, List, Optional, Tuple, Type

from ._convert import convert
from ._errors import VitrineError
from ._page import build_page, tell_height
from ._parts import Files, Part
from ._publish import Published, publish


class Report:
    """Collects charts, tables and texts, and publishes them as one page.

    As a context manager, it publishes at the end of the block, unless the block raises an exception.
    """

    def __init__(self, title: Optional[str] = None, **options: Any) -> None:
        self.title = title
        #: What the server answered, once the report is published.
        self.published: Optional[Published] = None
        self._options = options
        self._entries: List[Tuple[str, Any, Optional[str]]] = []

    def heading(self, text: str, level: int = 2) -> Report:
        """Adds a heading of level 2 or 3."""
        if level not in (2, 3):
            raise VitrineError(f"A heading has level 2 or 3, not {level}.")
        self._entries.append((f"h{level}", text, None))
        return self

    def text(self, text: str) -> Report:
        """Adds paragraphs, which empty lines separate."""
        self._entries.append(("text", text, None))
        return self

    def html(self, html: str) -> Report:
        """Adds HTML as it is."""
        self._entries.append(("html", html, None))
        return self

    def add(self, obj: Any, heading: Optional[str] = None, caption: Optional[str] = None) -> Report:
        """Adds anything that ``vitrine.publish`` takes, a list included."""
        if heading is not None:
            self.heading(heading)
        if isinstance(obj, str):
            return self._add_text(obj)
        if isinstance(obj, dict):
            for key, value in obj.items():
                self.add(value, heading=str(key))
        elif isinstance(obj, tuple) and len(obj) == 2 and isinstance(obj[0], str):
            self.add(obj[1], heading=obj[0])
        elif isinstance(obj, (list, tuple)):
            for one in obj:
                self.add(one)
        elif isinstance(obj, Report):
            self._entries.extend(obj._entries)
        else:
            self._entries.append(("object", obj, caption))
        return self

    def _add_text(self, text: str) -> Report:
        marks, _, rest = text.partition(" ")
        is_heading = marks in ("#", "##", "###") and "\n" not in text.strip() and rest.strip() != ""
        return self.heading(rest.strip(), max(2, len(marks))) if is_heading else self.text(text)

    def publish(self, **options: Any) -> Published:
        """Publishes what was added so far. Takes the options of ``vitrine.publish``."""
        self.published = publish(self, **{**self._options, **options})
        return self.published

    def __enter__(self) -> Report:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.publish()

    def build(self, fallback_title: str = "Report") -> Tuple[Dict[str, bytes], List[str]]:
        """Returns the files of the report, and notes for its publisher."""
        if not self._entries:
            raise VitrineError("The report is empty. Add something to it before you publish it.")
        files = Files()
        built = [self._build_entry(entry, files) for entry in self._entries]
        parts = [part for part, _ in built]
        title = self.title or next((part.title for part in parts if part.title), fallback_title)
        # An object that is a whole page becomes the report.
        if len(parts) == 1 and parts[0].document and self.title is None:
            index = parts[0].document
        else:
            body = [_place(part, caption, files) for part, caption in built]
            index = build_page(title, body, head=_unique(parts), heading=self.title is not None)
        return {"index.html": index.encode(), **files.contents}, files.notes

    @staticmethod
    def _build_entry(entry: Tuple[str, Any, Optional[str]], files: Files) -> Tuple[Part, Optional[str]]:
        kind, value, caption = entry
        if kind == "object":
            return convert(value, files), caption
        if kind == "html":
            return Part(html=value), caption
        if kind == "text":
            paragraphs = [one.strip() for one in value.replace("\r\n", "\n").split("\n\n")]
            return Part(html="\n".join(f"<p>{escape(one)}</p>" for one in paragraphs if one)), caption
        return Part(html=f"<{kind}>{escape(value)}</{kind}>"), caption


def _place(part: Part, caption: Optional[str], files: Files) -> str:
    html = part.html
    if part.document:
        name = files.add("page", "html", tell_height(part.document).encode())
        label = escape(part.title or caption or "Embedded page", quote=True)
        html = f'<div class="part"><iframe src="{name}" title="{label}"></iframe></div>'
    if caption is None:
        return html
    return f"<figure>{html}<figcaption>{escape(caption)}</figcaption></figure>"


def _unique(parts: Iterable[Part]) -> List[str]:
    return list(dict.fromkeys(element for part in parts for element in part.head))


def report(title: Optional[str] = None, **options: Any) -> Report:
    """Starts a report, which a ``with`` statement publishes at its end.

    >>> with vitrine.report("Weekly sales", name="weekly-sales") as r:
    ...     r.add(figure)
    """
    return Report(title, **options)
