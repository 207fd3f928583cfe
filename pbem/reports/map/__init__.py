"""Maps: a `Drawing` becomes SVG for the web and a small PNG for the mail.

>>> from pbem.kernel.drawing import Counter, Drawing
>>> drawing = Drawing("leipzig", marks=(Counter("wachau", "france", "4", pill="Murat"),))
>>> svg(drawing)[:4]
'<svg'
"""

from pbem.reports.map.paint.base_cache import default_cache
from pbem.reports.map.paint.picture import crop, png, svg
from pbem.reports.map.paint.renderer import InlineRenderer, PoolRenderer, Renderer

__all__ = ["InlineRenderer", "PoolRenderer", "Renderer", "crop", "default_cache", "png", "svg"]
