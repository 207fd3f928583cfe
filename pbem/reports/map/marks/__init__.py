"""What lies on a map: counters, ways, names, margins."""
