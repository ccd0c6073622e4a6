from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.console import registry


class RatesConfig(AppConfig):
    name = "payments.rates"
    label = "rates"
    verbose_name = _("Exchange rates")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("exchangeRates", "payments.rates.services.load_default_rates")
    console = registry.AppConsole(
        sections=(
            registry.section(
                70,
                _("Ledger"),
                registry.Entry(
                    _("Exchange rates"), "currency_exchange", "rates.exchangerate", order=1
                ),
            ),
        ),
        rights={
            registry.OF_OPERATORS: "view_exchangerate view_quote",
            registry.FINANCE: "add_exchangerate",
        },
    )
