"""``%%vitrine`` and ``%vitrine_publish`` for Jupyter. Load them with ``%load_ext vitrine``."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import Any, List, NoReturn, Optional

from ._errors import VitrineError
from ._publish import Published, publish
from ._report import Report


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics. IPython calls this for ``%load_ext vitrine``."""

    def cell_magic(line: str, cell: str) -> Optional[Published]:
        """Run the cell and publish what it shows: %%vitrine NAME [--public] [--title TITLE] [--tag TAG]..."""
        return _guard(lambda: _publish_cell(shell, line, cell))

    def line_magic(line: str) -> Optional[Published]:
        """Publish this notebook as it was last saved: %vitrine_publish NAME [--public] [--notebook FILE]..."""
        return _guard(lambda: _publish_notebook(shell, line))

    shell.register_magic_function(cell_magic, magic_kind="cell", magic_name="vitrine")
    shell.register_magic_function(line_magic, magic_kind="line", magic_name="vitrine_publish")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise VitrineError(f"{message[:1].upper()}{message[1:]}. Options: {' '.join(self.format_usage().split()[2:])}")


def _parse(prog: str, line: str) -> argparse.Namespace:
    parser = _Parser(prog=prog, add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--title")
    parser.add_argument("--public", action="store_true")
    parser.add_argument("--tag", action="append", default=[])
    parser.add_argument("--folder")
    parser.add_argument("-m", "--message")
    if prog == "%vitrine_publish":
        parser.add_argument("--notebook")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise VitrineError(f"{error}. Check the quotation marks.") from None
    return parser.parse_args(words)


def _options(given: argparse.Namespace) -> Any:
    return {
        "name": given.name,
        "public": given.public,
        "tags": given.tag,
        "folder": given.folder,
        "message": given.message,
    }


def _guard(work: Any) -> Optional[Published]:
    """Shows what to do instead of a traceback."""
    import sys

    try:
        published: Optional[Published] = work()
        return published
    except VitrineError as error:
        print(f"vitrine: {error}", file=sys.stderr)
        return None


def _publish_cell(shell: Any, line: str, cell: str) -> Optional[Published]:
    from IPython.utils.capture import capture_output

    given = _parse("%%vitrine", line)
    with capture_output() as captured:
        result = shell.run_cell(cell)
    captured.show()
    if not result.success:
        return None
    report = Report(given.title)
    for shown in _shown(shell, captured, result):
        report.add(shown)
    return report.publish(**_options(given))


def _shown(shell: Any, captured: Any, result: Any) -> List[Any]:
    """Returns what the cell showed, the value of its last line included, which is not among the captured outputs."""
    outputs: List[Any] = []
    printed = captured.stdout
    # A terminal prints the last value too, unlike a notebook.
    if result.result is not None and not hasattr(shell, "kernel"):
        printed = printed[: printed.rindex("Out[")] if "Out[" in printed else printed
    if printed.strip():
        outputs.append(_Printed(printed))
    outputs.extend(output for output in captured.outputs if output.data.keys() != {"text/plain"})
    if result.result is not None:
        outputs.append(result.result)
    return outputs


class _Printed:
    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_markdown_(self) -> str:
        return self._text.strip("\n")


def _publish_notebook(shell: Any, line: str) -> Published:
    given = _parse("%vitrine_publish", line)
    path = Path(given.notebook) if given.notebook else _find_notebook(shell)
    return publish(path, title=given.title, **_options(given))


def _find_notebook(shell: Any) -> Path:
    # Visual Studio Code and Jupyter tell the path in different ways.
    told = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME")
    if told and Path(told).is_file() and str(told).endswith(".ipynb"):
        return Path(told)
    found = sorted(Path.cwd().glob("*.ipynb"))
    if len(found) == 1:
        return found[0]
    raise VitrineError("Can't tell which notebook this is. Pass its file with --notebook.")
