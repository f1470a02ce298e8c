"""Stands in for bokeh.model."""


class Model:
    """What all of Bokeh's charts, layouts and widgets derive from."""

    #: Numbers the models of a process.
    count = 1000

    def __init__(self):
        Model.count += 1
        self.id = f"p{Model.count}"
