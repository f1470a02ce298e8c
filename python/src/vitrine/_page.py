"""The page around charts, tables and texts."""

from __future__ import annotations

from html import escape
from typing import Iterable

STYLE = """
:root { color-scheme: light; --text: #1c2024; --dim: #60646c; --line: #e0e1e6; --stripe: #f9f9fb; --accent: #3358d4 }
* { box-sizing: border-box }
body { margin: 0; color: var(--text); background: #fff; font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere }
h1 { font-size: 2rem; margin: 0 0 1.5rem }
h2 { font-size: 1.375rem; margin: 2.5rem 0 .75rem }
h3 { font-size: 1.125rem; margin: 2rem 0 .5rem }
main > :first-child { margin-top: 0 }
p { max-width: 44rem; margin: 0 0 1rem; overflow-wrap: anywhere; white-space: pre-line }
a { color: var(--accent) }
figure { margin: 1.5rem 0 }
figcaption, .note { color: var(--dim); font-size: .875rem; margin-top: .5rem }
.part { overflow-x: auto }
.part + .part, .part + style + .part { margin-top: 1.5rem }
.part > img, .part > svg { display: block; max-width: 100%; height: auto }
.part > iframe { display: block; width: 100%; height: 30rem; border: 0 }
.part > pre { margin: 0; padding: 1rem; background: var(--stripe); border-radius: 8px; font-size: .875rem }
table.dataframe { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; line-height: 1.45 }
table.dataframe th, table.dataframe td { padding: .4rem .875rem; text-align: left; vertical-align: top; border: 0 }
table.dataframe thead th { border-bottom: 1px solid #b9bbc6; font-weight: 600; white-space: nowrap }
table.dataframe thead th[colspan] { text-align: center }
table.dataframe caption { padding: 0 .875rem .5rem; color: var(--dim); text-align: left }
table.dataframe tbody tr { border-bottom: 1px solid var(--line) }
table.dataframe tbody tr:nth-child(even) { background: var(--stripe) }
table.dataframe tbody th { font-weight: 500; color: var(--dim); white-space: nowrap }
@media (max-width: 40rem) { main { padding: 1.5rem 1rem 3rem } h1 { font-size: 1.625rem } }
@media print { main { max-width: none; padding: 0 } }
"""

# Frames tell their height, because their sandbox keeps this page from measuring it.
HEIGHTS = """<script>
const growths = new Map();
addEventListener("message", ({ source, data }) => {
  const frame = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === source);
  const height = Number(data && data.vitrineHeight);
  const count = growths.get(frame) || 0;
  // A page that is always taller than its frame must not grow forever.
  if (!frame || !(height > frame.clientHeight) || height > 20000 || count >= 8) return;
  growths.set(frame, count + 1);
  frame.style.height = `${height}px`;
});
</script>
"""

TELL_HEIGHT = """<script>
new ResizeObserver(() => parent.postMessage({ vitrineHeight: document.documentElement.scrollHeight }, "*"))
  .observe(document.documentElement);
</script>
"""


def build_page(title: str, body: Iterable[str], *, head: Iterable[str] = (), heading: bool = True) -> str:
    """Returns the document. ``heading``: whether the title stands on the page too."""
    content = "\n".join(body)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{''.join(head)}</head>\n<body>\n<main>\n"
        + (f"<h1>{escape(title)}</h1>\n" if heading else "")
        + f"{content}\n</main>\n{HEIGHTS if '<iframe' in content else ''}</body>\n</html>\n"
    )


def tell_height(document: str) -> str:
    """Returns the document with a script that tells its height to the page around it."""
    end = document.lower().rfind("</body>")
    return document + TELL_HEIGHT if end < 0 else document[:end] + TELL_HEIGHT + document[end:]
