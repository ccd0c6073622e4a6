from django.apps import AppConfig

from payments.core.history.tables import HistoryTable, for_days


class ApiConfig(AppConfig):
    name = "payments.api"
    verbose_name = "API"
    history = (
        HistoryTable(table="api_apicall", first_kept=for_days("API_LOG_DAYS"), is_private=True),
    )
