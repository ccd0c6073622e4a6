"""The operators' console: its site, side bar, first page and search."""
