"""Maps: a `Drawing` becomes SVG for the web and a small PNG for the mail.

>>> from pbem.kernel.drawing import Counter, Drawing
>>> drawing = Drawing("leipzig", marks=(Counter("wachau", "france", "4", pill="Murat"),))
>>> svg(drawing)[:4]
'<svg'
"""

from .picture import crop, png, svg
from .renderer import InlineRenderer, PoolRenderer, Renderer
from .shelf import default_cache

__all__ = ["InlineRenderer", "PoolRenderer", "Renderer", "crop", "default_cache", "png", "svg"]
