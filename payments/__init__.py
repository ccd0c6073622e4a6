"""The products of the service, one Django app each, named after its URL."""
