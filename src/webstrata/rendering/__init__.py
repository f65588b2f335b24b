"""Pages as a browser shows them: DOM HTML, boxes and styles, live or recorded."""

from webstrata.rendering.page import RenderedPage
from webstrata.rendering.renderer import Renderer, render

__all__ = ["RenderedPage", "Renderer", "render"]
