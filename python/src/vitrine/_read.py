from __future__ import annotations

import io
import json
import re
from typing import Any, Optional
from urllib.parse import urlsplit

from ._client import Client
from ._errors import VitrineError
from ._settings import find_access

CODE = re.compile(r"(?=.*[A-Z])[0-9A-Za-z]{16}")
LIVE_PATH = re.compile(r"/@[^/]+/([^/]+)")


class Content(bytes):
    """The bytes of a published file."""

    @property
    def text(self) -> str:
        """The content as UTF-8 text."""
        return self.decode("utf-8")

    def json(self) -> Any:
        """Parses the content as JSON."""
        return json.loads(self)

    def open(self) -> io.BytesIO:
        """Opens the content as a file, for example for ``pandas.read_csv``."""
        return io.BytesIO(self)


def read(
    report: str,
    path: str = "index.html",
    *,
    version: Optional[int] = None,
    url: Optional[str] = None,
    token: Optional[str] = None,
) -> Content:
    """Returns a file of a published report exactly as it was published.

    :param report: name, ``name@2``, code or link of the report
    :param path: name of the file
    :param version: number of the version (default: the current one)
    """
    client = Client(find_access(url, token))
    return Content(client.get_bytes("/api/report/file", {"code": _find_code(client, report, version), "path": path}))


def _find_code(client: Client, report: str, version: Optional[int]) -> str:
    word = _word_of(report)
    name, _, number = word.partition("@")
    if number.isdigit() and version is None:
        word, version = name, int(number)
    if CODE.fullmatch(word):
        if version is not None:
            raise VitrineError("A code is a version itself. Pass a name with version, or the code alone.")
        return word
    if version is None:
        return str(client.get("/api/item", {"name": word})["code"])
    query = {"name": word, "before": str(version + 1), "limit": "1"}
    versions = client.get("/api/item/versions", query)["versions"]
    if not versions or versions[0]["version_no"] != version:
        raise VitrineError(f"{word} has no version {version}.", 404)
    return str(versions[0]["code"])


def _word_of(report: str) -> str:
    """Returns the name or code in a link, and other text as it is."""
    if not re.match(r"https?://", report):
        return report
    path = urlsplit(report).path
    live = LIVE_PATH.match(path)
    return live.group(1) if live else next((part for part in path.split("/") if part), report)
