"""One module per format; each has `write(period) -> bytes`."""
