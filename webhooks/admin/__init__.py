"""Console pages of webhooks: endpoints, events, deliveries with every attempt, sending again."""

from webhooks.admin.deliveries import DeliveryAdmin
from webhooks.admin.endpoints import EndpointAdmin
from webhooks.admin.events import EventAdmin

__all__ = ["DeliveryAdmin", "EndpointAdmin", "EventAdmin"]
