"""Application config of the webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Tables: Event, Delivery, Attempt."""

    name = "webhooks"
