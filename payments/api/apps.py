from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Table: ApiCall. Views load what describes them (openapi), and workers do without."""

    name = "payments.api"
    verbose_name = "API"
