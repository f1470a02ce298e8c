"""Stands in for pyvis.network."""

import json

LIBRARY = """window.vis = { Network: class {
  constructor(container, { nodes }) { container.textContent = "Nodes: " + nodes.map(({ label }) => label).join(", "); }
} };"""


class Network:
    def __init__(self, heading="", cdn_resources="local"):
        self.nodes = []
        self.heading = heading
        self.cdn_resources = cdn_resources

    def add_nodes(self, nodes):
        self.nodes.extend({"id": node, "label": node} for node in nodes)

    def add_edge(self, source, to):
        assert {source, to} <= {node["id"] for node in self.nodes}

    def generate_html(self, name="index.html", local=True, notebook=False):
        assert not notebook
        inline = self.cdn_resources == "in_line"
        library = f"<script>{LIBRARY}</script>" if inline else '<script src="lib/vis-9.1.2/vis-network.min.js"></script>'
        return f"""<html>
<head><meta charset="utf-8">{library}<center><h1>{self.heading}</h1></center></head>
<body><div id="mynetwork" class="card-body"></div>
<script type="text/javascript">
  var network = new vis.Network(document.getElementById('mynetwork'), {{ nodes: {json.dumps(self.nodes)} }}, {{}});
</script></body></html>"""
