"""`manage.py load_catalogues`: fills catalogues that are empty; safe to run at every start."""

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from payments.core import clock, jsontext

# Catalogue -> a service `(*, now) -> number of rows it made`, which leaves what is there alone.
# Named, not imported: the catalogues of products live above this app.
LOADERS = {
    "exchangeRates": "payments.rates.services.load_default_rates",
    "payouts": "payments.payout.services.catalogue.load_catalogue",
    "topups": "payments.topup.services.catalogue.load_catalogue",
    "bills": "payments.bills.services.catalogue.load_catalogue",
}


class Command(BaseCommand):
    """Runs every loader."""

    help = "Loads the default catalogues where there are none; prints one line of JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        loaded: dict[str, int] = {}
        for catalogue, path in LOADERS.items():
            load: Callable[..., int] = import_string(path)
            loaded[catalogue] = load(now=clock.now())
        self.stdout.write(jsontext.dumps({"loaded": loaded}))
