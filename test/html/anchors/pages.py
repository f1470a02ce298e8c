"""Prints pairs of pages that tools make from data and from changed data, as JSON. Spans with data-k say what corresponds."""
import base64, io, json, random
import altair, folium, matplotlib, nbformat, pandas, plotly.graph_objects as go
from nbconvert import HTMLExporter

matplotlib.use("Agg")
import matplotlib.pyplot as plt

CITIES = "Berlin Paris Rome Oslo Bonn Lyon Graz Kiel Turin Ghent Porto Split Malmo Bergen Delft Namur Siena Varna Brno Cork".split()
METRICS = ["orders", "revenue", "returns"]
span = lambda key, text: f'<span data-k="{key}">{text}</span>'


def frame(random, cities):
    values = {m: {c: random.randint(100, 99999) for c in CITIES} for m in METRICS}
    keyed = lambda r, m: span(1000 + 10 * CITIES.index(r) + METRICS.index(m), f"{values[m][r]:,}")
    return pandas.DataFrame([[keyed(c, m) for m in METRICS] for c in cities], index=cities, columns=METRICS)


def prose(random, first, subjects, edits):
    out = []
    for n, subject in enumerate(subjects):
        share, total = random.randint(2, 40), random.randint(1000, 90000)
        extra = " The change was expected." if edits and n % 4 == 1 else ""
        out.append(f"<h2>{subject}</h2><p>" + span(first + 3 * n, f"{subject} grew by {share} % against the plan and reached {total:,} units.") + extra + "</p>")
        out.append("<p>" + span(first + 3 * n + 1, f"The team in {subject} {'still ' if edits and n % 3 == 0 else ''}names late deliveries as the main reason, and weather as another.") + "</p>")
        out.append("<ul><li>" + span(first + 3 * n + 2, f"Open claims: {random.randint(1, 400)}") + "</li></ul>")
    return "".join(out)


def page(body):
    return f"<!doctype html><title>Report</title><h1>Monthly report</h1>{body}"


def figure(random):
    chart, axes = plt.subplots(figsize=(2, 1))
    axes.plot([random.random() for _ in range(9)])
    data = io.BytesIO()
    chart.savefig(data, format="png")
    plt.close(chart)
    return f'<img alt="Trend" src="data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}">'


def notebook(parts):
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_markdown_cell(part) for part in parts]
    return HTMLExporter().from_notebook_node(book)[0]


def pairs():
    one, two = random.Random(1), random.Random(2)
    some, other = CITIES[:14], CITIES[2:10] + ["Cork", "Brno"] + CITIES[10:14]
    table = lambda r, c: page(f"<p>Figures by city.</p>{frame(r, c).to_html(escape=False)}")
    yield "pandas", table(one, some), table(two, some)
    yield "pandas, other rows", table(one, some), table(two, other)
    yield "pandas, sorted", table(one, some), table(two, sorted(some))
    styled = lambda r, c: page(frame(r, c).style.set_caption("By city").to_html())
    yield "Styler", styled(one, some), styled(two, some)
    yield "Styler, other rows", styled(one, some), styled(two, other[::-1])
    texts = lambda r, c, e: [prose(r, 100 + 10 * CITIES.index(x), [x], e) for x in c]
    yield "nbconvert", notebook(texts(one, some, False)), notebook(texts(two, some, True))
    yield "nbconvert, reordered", notebook(texts(one, some, False)), notebook(texts(two, some[::-1], True))
    yield "nbconvert with pandas", notebook([frame(one, some).to_html(escape=False)]), notebook([frame(two, other).to_html(escape=False)])
    plot = lambda r: go.Figure(go.Bar(x=some, y=[r.random() for _ in some]), layout_title_text="Orders").to_html(include_plotlyjs=False, full_html=False)
    chart = lambda r: altair.Chart(pandas.DataFrame({"x": some, "y": [r.random() for _ in some]})).mark_bar().encode(x="x", y="y").to_html()
    places = lambda r: folium.Map([50 + r.random(), 8])._repr_html_()
    for name, make in [("matplotlib", figure), ("plotly", plot), ("altair", chart), ("folium", places)]:
        before, after = make(one), make(two)
        yield name, page(prose(one, 100, some, False) + before), page(after + prose(two, 100, some, True))


print(json.dumps([{"name": n, "before": b, "after": a} for n, b, a in pairs()]))
