"""Maps: a `Drawing` becomes SVG for the web and a small PNG for the mail.

>>> from pbem.kernel.drawing import Counter, Drawing
>>> drawing = Drawing("leipzig", marks=(Counter("wachau", "france", "4", pill="Murat"),))
>>> svg(drawing)[:4]
'<svg'
"""

from .picture import crop, default_cache, png, svg
from .renderer import InlineRenderer, PoolRenderer, Renderer

__all__ = ["InlineRenderer", "PoolRenderer", "Renderer", "crop", "default_cache", "png", "svg"]
