"""7.2, 7.4: depots, chains, forage and pay."""
