"""How maps are painted: ink, style, SVG to pixels, the cache of painted bases."""
