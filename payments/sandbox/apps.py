from django.apps import AppConfig


class SandboxConfig(AppConfig):
    """No tables."""

    name = "payments.sandbox"
    label = "sandbox"
