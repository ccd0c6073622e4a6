"""HTTP plumbing of the API: envelope, JSON, errors, idempotency, limits, pages, OpenAPI."""
