"""bills."""
