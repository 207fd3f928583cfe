"""Games announced, joined and begun."""
