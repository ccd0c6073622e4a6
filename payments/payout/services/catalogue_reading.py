from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from payments.core.catalogue_versions import KeptRows
from payments.payout.declaration import PAYOUTS
from payments.payout.models import Bank, PayoutMethod
from payments.payout.services import catalogue
from payments.payout.services.errors import PayoutMethodNotAvailable
from payments.rails.models import Route
from payments.rails.services.routing import RouteTable, read_routes


@dataclass(frozen=True, slots=True)
class CatalogueRows:
    """All threads share them, so they are never changed."""

    is_enabled: bool
    # Enabled, by network.
    methods: Mapping[str, PayoutMethod]
    # Enabled, by slug.
    banks: Mapping[str, Bank]
    routes: Sequence[Route]

    @classmethod
    def read(cls) -> "CatalogueRows":
        return cls(
            is_enabled=catalogue.is_enabled(),
            methods={row.network: row for row in PayoutMethod.objects.filter(is_enabled=True)},
            banks=Bank.objects.filter(is_enabled=True).in_bulk(),
            routes=read_routes(PAYOUTS.name),
        )


_kept = KeptRows(CatalogueRows.read)


class CatalogueReading:
    """The catalogue and the state of the accounts, for payouts that are made together.

    It is for one transaction: later ones must see what an operator changed.
    """

    def __init__(self, rows: CatalogueRows | None = None) -> None:
        self._rows = rows or CatalogueRows.read()

    @classmethod
    def at(cls, versions: str | None) -> "CatalogueReading":
        """Of the rows that this process keeps (payments.core.catalogue_versions)."""
        return cls(_kept.at(versions))

    @property
    def is_enabled(self) -> bool:
        return self._rows.is_enabled

    @cached_property
    def routes(self) -> RouteTable:
        return RouteTable.of(PAYOUTS.name, self._rows.routes)

    def method_of(self, network: str) -> PayoutMethod:
        """Raises PayoutMethodNotAvailable."""
        try:
            return self._rows.methods[network]
        except KeyError:
            raise PayoutMethodNotAvailable from None

    def find_bank(self, slug: str) -> Bank | None:
        return self._rows.banks.get(slug)
