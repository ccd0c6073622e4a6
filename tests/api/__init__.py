"""The plumbing of the API."""
