"""The libraries whose objects need more than their representation in Jupyter.

Random identifiers are replaced by numbers, so that the same object gives the same bytes in each run.
"""

from __future__ import annotations

import io
import json
import re
from html import escape
from typing import Any, Iterable, List

from ._parts import Files, Part

LARGEST_SVG = 1_000_000
ROWS_SHOWN = 1_000


def matplotlib_figure(figure: Any, files: Files) -> Part:
    """Draws the figure as SVG, or as PNG if it has very many points."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "vitrine"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None}, bbox_inches="tight")
    kind = "svg"
    if buffer.tell() > LARGEST_SVG:
        buffer, kind = io.BytesIO(), "png"
        figure.savefig(buffer, format="png", dpi=200, bbox_inches="tight")
    name = files.add("figure", kind, buffer.getvalue())
    title = _matplotlib_title(figure)
    # The width in CSS pixels at which its text has the size that the figure says.
    width = round(figure.get_figwidth() * 96)
    alt = escape(title or "Chart", quote=True)
    return Part(html=f'<div class="part"><img src="{name}" alt="{alt}" width="{width}"></div>', title=title)


def _matplotlib_title(figure: Any) -> str:
    headline = getattr(figure, "_suptitle", None)
    titles = [headline.get_text() if headline else "", *(axes.get_title() for axes in figure.axes)]
    return next((title for title in titles if title), "")


def matplotlib_owner(obj: Any, files: Files) -> Part:
    """Draws the figure that axes or a grid of seaborn belong to."""
    return matplotlib_figure(obj.figure, files)


def plotly_figure(figure: Any, files: Files) -> Part:
    """Publishes the library with the figure, so that the report needs no other host."""
    from plotly.offline import get_plotlyjs

    html = figure.to_html(full_html=False, include_plotlyjs=False, config={"responsive": True})
    html = re.sub(r'<script[^>]*>\s*window\.PlotlyConfig[^<]*</script>', "", html)
    found = re.search(r'<div[^>]*\bid="([^"]+)"[^>]*class="plotly-graph-div"', html)
    if found:
        html = html.replace(found.group(1), f"plot-{files.number('plot')}")
    library = files.add_named("plotly.min.js", get_plotlyjs().encode())
    head = f'<script>window.PlotlyConfig = {{ MathJaxConfig: "local" }};</script>\n<script src="{library}"></script>\n'
    title = figure.layout.title.text or ""
    return Part(html=f'<div class="part">{html}</div>', title=re.sub(r"<[^>]+>", "", title), head=[head])


def altair_chart(chart: Any, files: Files) -> Part:
    """Embeds the chart with Vega-Embed, from the report if vl-convert is installed and from a CDN otherwise."""
    import altair

    with altair.data_transformers.enable("default", max_rows=None):
        spec = chart.to_dict()
    element = f"chart-{files.number('chart')}"
    options = {"mode": "vega-lite", "actions": False}
    # "</" would end the script.
    call = f"vegaEmbed({json.dumps('#' + element)}, {json.dumps(spec)}, {json.dumps(options)});".replace("</", "<\\/")
    html = f'<div class="part"><div id="{element}"></div></div>\n<script>{call}</script>'
    return Part(html=html, title=_altair_title(spec), head=[_vega_embed(altair, files)])


def _altair_title(spec: Any) -> str:
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, dict) else title
    return " ".join(text) if isinstance(text, list) else str(text)


def _vega_embed(altair: Any, files: Files) -> str:
    try:
        from vl_convert import javascript_bundle

    except ImportError:
        pass
    else:
        name = files.add_named("vega-embed.js", javascript_bundle().encode())
        return f'<script src="{name}"></script>\n'
    note = "Altair's charts load Vega from cdn.jsdelivr.net. Install vl-convert-python to publish Vega with the report."
    if note not in files.notes:
        files.notes.append(note)
    versions = (
        ("vega", getattr(altair, "VEGA_VERSION", "5")),
        ("vega-lite", getattr(altair, "VEGALITE_VERSION", "5")),
        ("vega-embed", getattr(altair, "VEGAEMBED_VERSION", "6")),
    )
    return "".join(
        f'<script src="https://cdn.jsdelivr.net/npm/{name}@{version.lstrip("v")}"></script>\n'
        for name, version in versions
    )


def bokeh_model(model: Any, files: Files) -> Part:
    """Publishes a page with the model and the library."""
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    title = getattr(getattr(model, "title", None), "text", "") or ""
    html = file_html(model, INLINE, title or "Chart")
    # The identifiers of the document and of the elements that show its roots.
    ids = re.findall(r'(?:\bid="|"docid":\s*"|"roots":\s*\{"[^"]+":\s*")([0-9a-f-]{36})"', html)
    return Part(document=_number(html, ids, "bokeh"), title=title)


def _number(html: str, ids: Iterable[str], prefix: str) -> str:
    for index, one in enumerate(dict.fromkeys(ids), 1):
        html = html.replace(one, f"{prefix}-{index}")
    return html


def pandas_frame(frame: Any, files: Files) -> Part:
    """Shows up to 1,000 rows, and offers the others for download."""
    element = f"table-{files.number('frame')}"
    shown = frame.head(ROWS_SHOWN)
    table = shown.to_html(border=0, table_id=element, max_rows=None, na_rep="", justify="unset")
    levels = frame.index.nlevels
    cells = [
        f"td:nth-of-type({column}), #{element} thead th:nth-child({column + levels}):not([colspan])"
        for column in _numeric_columns(frame)
    ]
    html = f'{_align_right(element, cells)}<div class="part">{table}</div>'
    if len(frame) > ROWS_SHOWN:
        name = files.add("table", "csv", frame.to_csv().encode())
        html += (
            f'<p class="note">The first {ROWS_SHOWN:,} of {len(frame):,} rows. '
            f'<a href="{name}?download">Download all rows as CSV</a></p>'
        )
    return Part(html=html)


def _align_right(element: str, cells: List[str]) -> str:
    selectors = ", ".join(f"#{element} {cell}" for cell in cells)
    return f"<style>{selectors} {{ text-align: right }}</style>\n" if cells else ""


def _numeric_columns(frame: Any) -> List[int]:
    return [index for index, kind in enumerate(frame.dtypes, 1) if getattr(kind, "kind", "O") in "iufc"]


def pandas_series(series: Any, files: Files) -> Part:
    """Shows a series as a table with one column."""
    return pandas_frame(series.to_frame(), files)


def pandas_styler(styler: Any, files: Files) -> Part:
    """Shows the table as it is styled."""
    element = f"styled{files.number('styled')}"
    html = styler.to_html(table_uuid=element, table_attributes='class="dataframe"')
    cells = [f".col{column - 1}" for column in _numeric_columns(styler.data)]
    html = f'{_align_right(f"T_{element}", cells)}<div class="part">{html}</div>'
    return Part(html=html, title=styler.caption if isinstance(styler.caption, str) else "")


def great_table(table: Any, files: Files) -> Part:
    """Shows the table without its random identifier."""
    html = table.as_raw_html()
    found = re.search(r'<div id="([a-z]+)"', html)
    if found:
        html = re.sub(rf'(?<=[#"]){found.group(1)}\b', f"gt-{files.number('gt')}", html)
    return Part(html=f'<div class="part">{html}</div>')


def folium_map(element: Any, files: Files) -> Part:
    """Publishes the map as a page. Its tiles and scripts come from the hosts that folium names."""
    root = element.get_root()
    html = root.render()
    note = "Maps load their scripts and tiles from other hosts."
    if note not in files.notes:
        files.notes.append(note)
    return Part(document=_number(html, _branca_ids(root), "id").replace("id-", "id_"), title="Map")


def _branca_ids(element: Any) -> List[str]:
    children: List[Any] = list(getattr(element, "_children", {}).values())
    nested = [getattr(element, name, None) for name in ("header", "html", "script")]
    found = [element._id] if isinstance(getattr(element, "_id", None), str) and len(element._id) >= 32 else []
    for child in [*children, *(one for one in nested if one is not None)]:
        found.extend(_branca_ids(child))
    return found


def pyvis_network(network: Any, files: Files) -> Part:
    """Publishes the network as a page that contains the library."""
    before = getattr(network, "cdn_resources", "local")
    network.cdn_resources = "in_line"
    try:
        return Part(document=network.generate_html(notebook=False), title=network.heading or "Network")
    finally:
        network.cdn_resources = before
