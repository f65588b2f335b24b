"""Charts as plain SVG: text and colours (`svg`), axes (`axes`), and charts (`charts`)."""

from webstrata.drawing.charts import Series, bar_chart, line_chart, scatter_chart, stacked_chart

__all__ = ["Series", "bar_chart", "line_chart", "scatter_chart", "stacked_chart"]
