"""Application config of collections."""

from django.apps import AppConfig


class CollectConfig(AppConfig):
    """Tables: Order, OrderTally, Charge, UnmatchedFunds."""

    name = "payments.collect"
    label = "collect"
