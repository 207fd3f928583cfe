"""8.3, 10 to 14: the war on land: activations, marches, supply, battles, sieges."""
