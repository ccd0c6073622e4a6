"""What a line of a statement is the money of (docs/operations/bank.md, Matching)."""
