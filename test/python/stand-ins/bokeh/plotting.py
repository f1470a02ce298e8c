"""Stands in for bokeh.plotting."""

from .model import Model


class Title(Model):
    def __init__(self, text):
        super().__init__()
        self.text = text


class figure(Model):
    def __init__(self, title=""):
        super().__init__()
        self.title = Title(title)

    def line(self, x, y):
        self.points = list(zip(x, y))
