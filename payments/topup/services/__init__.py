"""What can be done with operators and top-ups."""
