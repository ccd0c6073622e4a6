from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatesConfig(AppConfig):
    name = "payments.rates"
    label = "rates"
    verbose_name = _("Exchange rates")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("exchangeRates", "payments.rates.services.load_default_rates")
