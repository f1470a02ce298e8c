from __future__ import annotations

import sys
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._client import Client
from ._errors import VitrineError
from ._settings import find_access
from ._tags import add_tags

FILES_PER_REPORT = 100
FILE_BYTES = 10_000_000
REPORT_BYTES = 20_000_000


@dataclass(frozen=True)
class Published:
    """A published report. As text, it is its link: the live link if the report has a name."""

    url: str
    version_url: str
    code: str
    owner: str
    visibility: str
    name: Optional[str] = None
    #: Whether this call made a version. False if the current version has the same content.
    is_new: bool = True
    warnings: List[str] = field(default_factory=list)

    def __str__(self) -> str:
        return self.url

    def _repr_html_(self) -> str:
        link = escape(self.url, quote=True)
        what = "Published" if self.is_new else "No changes. Already published"
        return f'{what}: <a href="{link}" target="_blank" rel="noopener">{link}</a>'


def publish(
    obj: Any,
    *,
    name: Optional[str] = None,
    title: Optional[str] = None,
    public: bool = False,
    visibility: Optional[str] = None,
    tags: Union[str, Sequence[str]] = (),
    folder: Optional[str] = None,
    message: Optional[str] = None,
    owner: Optional[str] = None,
    storage: Optional[str] = None,
    url: Optional[str] = None,
    token: Optional[str] = None,
) -> Published:
    """Publishes a chart, a table, a file, a directory, a notebook, or a list of these, and returns its links.

    With a ``name``, it becomes the next version of the report with this name. If the current version has the same
    content, nothing is published. Problems that may affect the report go to standard error and ``warnings``.

    :param obj: what to publish; in a list, texts are paragraphs and ``"# Text"`` is a heading
    :param name: name of the report, whose live link shows the latest version
    :param title: title (default: the title of the chart or document)
    :param public: let anyone with the link read the report (default: private, or what the organization has set)
    :param visibility: ``"public"``, ``"private"`` or ``"org"``
    :param tags: tags to add, which are created if needed
    :param folder: folder for a new report, as ``"Drawer/Folder"`` or ``"Folder"``
    :param message: what has changed in this version
    :param owner: workspace to publish to (default: that of the access token)
    :param storage: ``"memory"`` gives pages a temporary ``localStorage``
    :param url: address of the server (default: ``VITRINE_URL``, then that of ``vitrine login``)
    :param token: access token (default: ``VITRINE_TOKEN``, then that of ``vitrine login``)
    """
    if public and visibility not in (None, "public"):
        raise VitrineError(f'public=True and visibility="{visibility}" contradict each other. Pass one of them.')
    client = Client(find_access(url, token))
    files, notes = _files_of(obj, title, name)
    _check_files(files)
    options = {
        "name": name,
        "title": title,
        "note": message,
        "folder": folder,
        "owner": owner,
        "visibility": "public" if public else visibility,
        "storage": storage,
    }
    current = None if name is None else _find_current(client, name, files, title, storage)
    published = current or _upload(client, {key: value for key, value in options.items() if value}, files)
    for warning in [*notes, *(published.warnings if published.is_new else [])]:
        print(f"vitrine: {warning}", file=sys.stderr)
    wanted = [tags] if isinstance(tags, str) else list(tags)
    if wanted:
        add_tags(client, published, wanted)
    return published


def _files_of(obj: Any, title: Optional[str], name: Optional[str]) -> Tuple[Dict[str, bytes], List[str]]:
    from ._paths import as_files, path_or_html
    from ._report import Report

    if isinstance(obj, str):
        obj = path_or_html(obj)
    files = as_files(obj)
    if files is not None:
        return files, []
    report = obj if isinstance(obj, Report) else Report(title).add(obj)
    return report.build(name or "Report")


def _check_files(files: Mapping[str, bytes]) -> None:
    total = sum(map(len, files.values()))
    largest = sorted(files, key=lambda path: -len(files[path]))[:3]
    sizes = ", ".join(f"{path} ({len(files[path]) / 1e6:.1f} MB)" for path in largest)
    if len(files) > FILES_PER_REPORT:
        raise VitrineError(f"The report has {len(files)} files. A report can have at most {FILES_PER_REPORT}.")
    if not files.get("index.html", b"").strip():
        raise VitrineError("index.html is empty, so nothing was published.")
    if len(files[largest[0]]) > FILE_BYTES:
        raise VitrineError(f"A file can have at most 10 MB. The largest files: {sizes}. Publish less data.")
    if total > REPORT_BYTES:
        raise VitrineError(
            f"The report has {total / 1e6:.1f} MB, and at most 20 MB are possible. The largest files: {sizes}."
        )


def _find_current(
    client: Client, name: str, files: Mapping[str, bytes], title: Optional[str], storage: Optional[str]
) -> Optional[Published]:
    """Returns the current version of the report if it has the same content."""
    try:
        item = client.get("/api/item", {"name": name})
        version = client.get("/api/report", {"code": item["code"]})
        digests = {file["path"]: file["sha256"] for file in version["files"]}
        is_same = (
            digests == {path: sha256(content).hexdigest() for path, content in files.items()}
            and title in (None, version["document_title"])
            and storage in (None, version["storage"])
        )
        if not is_same:
            return None
        return Published(
            url=item["live_url"],
            version_url=version["url"],
            code=version["code"],
            owner=version["owner_slug"],
            visibility=version["visibility"],
            name=name,
            is_new=False,
            warnings=list(version["warnings"]),
        )
    except VitrineError as error:
        # The upload says what is wrong, for example with the name.
        if error.status in (400, 404):
            return None
        raise
    except (KeyError, TypeError):
        # The comparison only saves a version. It must not keep a report from being published.
        return None


def _upload(client: Client, options: Mapping[str, str], files: Mapping[str, bytes]) -> Published:
    answer = client.post_form("/api/upload", options, files)
    try:
        return Published(
            url=answer.get("nameUrl", answer["url"]),
            version_url=answer["url"],
            code=answer["code"],
            owner=answer["owner"],
            visibility=answer["visibility"],
            name=answer.get("name"),
            warnings=list(answer["warnings"]),
        )
    except (KeyError, TypeError, AttributeError):
        raise VitrineError(f"{client.url} doesn't look like a Vitrine server. Check VITRINE_URL.") from None
