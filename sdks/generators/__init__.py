"""One module for each language."""
