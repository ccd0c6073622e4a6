"""Signed notifications to merchants: events, deliveries with their history, and the dispatcher."""
