from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "payments.api"
    verbose_name = "API"
