"""Application config of the API plumbing."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """`ready` registers the OpenAPI extensions."""

    name = "payments.api"
    verbose_name = "API"

    def ready(self) -> None:
        from payments.api import openapi  # noqa: F401  registers the authentication scheme
