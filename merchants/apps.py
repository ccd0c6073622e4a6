"""Application config of the merchants."""

from django.apps import AppConfig


class MerchantsConfig(AppConfig):
    """Tables: Merchant, ApiKey, Membership."""

    name = "merchants"
