"""Application config of the exchange rates."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.console.registry import FINANCE, OF_OPERATORS, AppConsole, Entry, Section


class RatesConfig(AppConfig):
    """Tables: ExchangeRate, Quote."""

    name = "payments.rates"
    label = "rates"
    verbose_name = _("Exchange rates")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("exchangeRates", "payments.rates.services.load_default_rates")
    console = AppConsole(
        sections=(
            Section(
                70,
                _("Ledger"),
                (Entry(_("Exchange rates"), "currency_exchange", "rates.exchangerate", order=1),),
            ),
        ),
        rights={
            OF_OPERATORS: "view_exchangerate view_quote",
            FINANCE: "add_exchangerate",
        },
    )
