"""Collections: orders, their payment tries, the hosted page, the Direct API."""
