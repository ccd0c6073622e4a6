"""What can be done with payment files. The only writers of their tables."""
