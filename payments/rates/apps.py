"""Application config of the exchange rates."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatesConfig(AppConfig):
    """Tables: ExchangeRate, Quote."""

    name = "payments.rates"
    label = "rates"
    verbose_name = _("Exchange rates")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("exchangeRates", "payments.rates.services.load_default_rates")
