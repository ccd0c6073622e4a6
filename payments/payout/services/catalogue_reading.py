from functools import cached_property

from payments.payout.declaration import PAYOUTS
from payments.payout.models import Bank, PayoutMethod
from payments.payout.services import catalogue
from payments.rails.services.routing import RouteTable


class CatalogueReading:
    """Reads each row of the catalogue and the routes once, for payouts that are made together.

    It is for one transaction: later ones must see what an operator changed.
    """

    def __init__(self) -> None:
        self._methods: dict[str, PayoutMethod] = {}
        self._banks: dict[str, Bank | None] = {}

    @cached_property
    def is_enabled(self) -> bool:
        return catalogue.is_enabled()

    @cached_property
    def routes(self) -> RouteTable:
        return RouteTable.load(PAYOUTS.name)

    def method_of(self, network: str) -> PayoutMethod:
        """Raises PayoutMethodNotAvailable."""
        if network not in self._methods:
            self._methods[network] = catalogue.method_of(network)
        return self._methods[network]

    def find_bank(self, slug: str) -> Bank | None:
        if slug not in self._banks:
            self._banks[slug] = catalogue.find_bank(slug)
        return self._banks[slug]
