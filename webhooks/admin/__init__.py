"""Console pages of webhooks: events, deliveries with every attempt, sending again, the test."""

from webhooks.admin.deliveries import DeliveryAdmin
from webhooks.admin.events import EventAdmin

__all__ = ["DeliveryAdmin", "EventAdmin"]
