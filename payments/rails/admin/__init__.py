"""Console pages of provider accounts and routes."""

from payments.rails.admin import accounts, route_changes, routes

__all__ = ["accounts", "route_changes", "routes"]
