"""Publishes charts, tables and notebooks to Vitrine, the self-hosted service for HTML reports."""

from __future__ import annotations

# Type checkers take a constant of this name for true. Importing the module typing takes longer than all of this package.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, List

    from ._errors import VitrineError
    from ._magic import load_ipython_extension
    from ._publish import Published, publish
    from ._read import Content, read
    from ._report import Report, report

__version__ = "0.1.0"
__all__ = [
    "Content",
    "Published",
    "Report",
    "VitrineError",
    "load_ipython_extension",
    "publish",
    "read",
    "report",
]

# Loaded on first use, because many programs import this package and publish only now and then.
_MODULES = {
    "Content": "_read",
    "Published": "_publish",
    "Report": "_report",
    "VitrineError": "_errors",
    "load_ipython_extension": "_magic",
    "publish": "_publish",
    "read": "_read",
    "report": "_report",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted([*globals(), *__all__])
