"""Exchange rates COP <-> coins, and quotes with a lifetime."""
