"""15: the war at sea: squadrons, blockades, battles, transport and landings."""
