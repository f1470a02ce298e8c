"""Stands in for bokeh.resources."""


class Resources:
    def __init__(self, mode):
        self.mode = mode


CDN = Resources("cdn")
INLINE = Resources("inline")
