"""Stands in for bokeh.embed."""

import json
import uuid

from .resources import INLINE

LIBRARY = """window.Bokeh = { embed: { embed_items(docs_json, items) {
  const docs = JSON.parse(docs_json);
  for (const { docid, roots } of items)
    for (const root of docs[docid].roots) document.getElementById(roots[root.id]).textContent = "Drawn: " + root.title;
} } };"""


def file_html(models, resources=None, title=None):
    assert resources is INLINE
    element, script, document = (str(uuid.uuid4()) for _ in range(3))
    shown = getattr(getattr(models, "title", None), "text", "untitled")
    docs = json.dumps({document: {"version": "3.4.0", "title": "Bokeh Application", "roots": [{"id": models.id, "title": shown}]}})
    items = json.dumps([{"docid": document, "roots": {models.id: element}, "root_ids": [models.id]}])
    return f"""<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{title}</title>
    <script type="text/javascript">{LIBRARY}</script>
  </head>
  <body>
    <div id="{element}" data-root-id="{models.id}" style="display: contents;"></div>
    <script type="application/json" id="{script}">
      {docs}
    </script>
    <script type="text/javascript">
      (function() {{
        const docs_json = document.getElementById('{script}').textContent;
        const render_items = {items};
        Bokeh.embed.embed_items(docs_json, render_items);
      }})();
    </script>
  </body>
</html>"""
