"""F26: payments in coins while the nodes that show them are killed, and lose blocks."""
