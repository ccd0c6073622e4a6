"""Application config of the providers."""

from django.apps import AppConfig


class ProvidersConfig(AppConfig):
    """No tables; an app so that its translations are found."""

    name = "payments.providers"
    label = "providers"
