from __future__ import annotations

from typing import Optional


class VitrineError(Exception):
    """Says what went wrong and what to do. ``status`` is the HTTP status if the server refused the request."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status
