"""Stands in for great_tables."""

import random
import string

__all__ = ["GT"]


class GT:
    def __init__(self, data, id=None):
        self._data = data
        self._id = id

    def tab_header(self, title):
        return GT([title, *self._data], self._id)

    def as_raw_html(self, inline_css=False, make_page=False, all_important=False):
        assert not make_page
        # As in the library, each rendering has another identifier.
        id = self._id or "".join(random.choices(string.ascii_lowercase, k=10))
        rows = "".join(f'<tr><td class="gt_row gt_left">{value}</td></tr>' for value in self._data)
        return f"""<div id="{id}" style="padding-left:0px;overflow-x:auto;width:auto;">
<style>
#{id} table {{ border-collapse: collapse; }}
#{id} .gt_row {{ color: rgb(1, 2, 3); }}
</style>
<table class="gt_table" data-quarto-disable-processing="false"><tbody class="gt_table_body">{rows}</tbody></table>
</div>
        """
