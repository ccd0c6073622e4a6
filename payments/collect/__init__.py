"""Collections: orders, their charges, the hosted page, the Direct API."""
