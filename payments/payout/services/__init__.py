"""What can be done with payouts. The only writers of their tables."""
