from django.apps import AppConfig


class SimulatorConfig(AppConfig):
    """No tables; an app so that its translations are found."""

    name = "payments.simulator"
    label = "simulator"
