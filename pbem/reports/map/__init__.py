"""Maps: a `Drawing` becomes SVG for the web and a small PNG for the mail.

`svg(drawing)`, `png(drawing, width)` and `crop(drawing, areas, width)` paint at once; a renderer does it
beside the loop.
"""

from pbem.reports.map.paint.base_cache import default_cache
from pbem.reports.map.paint.picture import crop, png, svg
from pbem.reports.map.paint.renderer import InlineRenderer, PoolRenderer, Renderer

__all__ = ["InlineRenderer", "PoolRenderer", "Renderer", "crop", "default_cache", "png", "svg"]
