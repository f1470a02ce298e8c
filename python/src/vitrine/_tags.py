from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from ._client import Client
from ._errors import VitrineError

if TYPE_CHECKING:
    from ._publish import Published


def add_tags(client: Client, published: Published, titles: Sequence[str]) -> None:
    """Adds tags to a report, and creates those that don't exist. A failure doesn't undo the publish."""
    try:
        tags = client.get("/api/taxonomy", {"owner": published.owner})["tags"]
        ids = [_find_or_create(client, published.owner, tags, title) for title in titles]
        item = {"name": published.name} if published.name else {"code": published.code}
        client.post("/api/items/tags", {"items": [item], "add": ids}, is_repeatable=True)
    except VitrineError as error:
        raise VitrineError(
            f"The report was published at {published.url}, but not tagged. {error}", error.status
        ) from None


def _find_or_create(client: Client, owner: str, tags: List[Any], title: str) -> str:
    """Returns the id of a tag given by its title or by a path such as ``Region/North``, ignoring case."""
    found = _find(tags, title)
    if found is not None:
        return found
    parent, _, last = title.rpartition("/")
    body = {"owner": owner, "title": last}
    if parent:
        body["parent_id"] = _find_or_create(client, owner, tags, parent)
    created = client.post("/api/tags/create", body)
    tags.append(created)
    return str(created["id"])


def _find(tags: List[Any], title: str) -> Optional[str]:
    by_id = {tag["id"]: tag for tag in tags}

    def path_of(tag: Any) -> str:
        parent = by_id.get(tag["parent_id"])
        return _fold(tag["title"]) if parent is None else f"{path_of(parent)}/{_fold(tag['title'])}"

    wanted = _fold(title)
    exact = [tag for tag in tags if path_of(tag) == wanted]
    found = exact or [tag for tag in tags if _fold(tag["title"]) == wanted]
    if len(found) > 1:
        raise VitrineError(f'{len(found)} tags are named "{title}". Use a path such as PARENT/{title}.')
    return str(found[0]["id"]) if found else None


def _fold(title: str) -> str:
    return unicodedata.normalize("NFC", title).lower().strip()
