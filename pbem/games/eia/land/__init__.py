"""7.5: combat on land."""
