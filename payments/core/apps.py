"""Application config of the kernel."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """Tables: Transition, AuditEntry, Heartbeat."""

    name = "payments.core"
    label = "core"
