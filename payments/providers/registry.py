"""Finds the adapter: for new payments by the settings, for older ones by its code.

A rail is a package with a declaration, and one line in settings.RAILS (docs/recipes/rail.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar, cast

from django.conf import settings
from django.utils.module_loading import import_string

from payments.core.products import named
from payments.providers.declaration import RailDeclaration, may_be_code
from payments.providers.ports import DisputePort, InvalidCallback, PayinPort

P = TypeVar("P", covariant=True)


class UnknownProvider(LookupError):
    """No adapter has this code, or this service must not use it."""


@dataclass(frozen=True, slots=True)
class Adapters(Generic[P]):
    """The adapters of one port.

    name     what a RailDeclaration calls them, and the word in the callback's URL.
    setting  names the provider of new payments.
    """

    name: str
    setting: str

    @property
    def configured_code(self) -> str:
        """The code of the provider of new payments. Empty without one."""
        return str(getattr(settings, self.setting))

    def configured(self) -> P:
        """The adapter of new payments. Raises UnknownProvider, also when the setting is empty."""
        return self.get(self.configured_code)

    def get(self, code: str) -> P:
        """The adapter with this code, also if it no longer takes new payments.

        A simulated rail serves only while it is configured, because its callbacks are
        signed with a secret that is public in development. Raises UnknownProvider.
        """
        return self.serving(code)[1]

    def serving(self, code: str) -> tuple[RailDeclaration, P]:
        """The rail and its adapter, with one look-up. As `get`."""
        rail = find_rail(code)
        adapter = rail.adapter(self.name) if rail else None
        is_configured = code == self.configured_code
        if rail is None or adapter is None or (rail.is_simulated and not is_configured):
            raise UnknownProvider(code)
        return rail, cast(P, adapter)


PAYIN: Adapters[PayinPort] = Adapters("payin", "PAYIN_PROVIDER")
# The provider that took the money reports its disputes.
DISPUTE: Adapters[DisputePort] = Adapters("dispute", "PAYIN_PROVIDER")


def outgoing(product: str) -> Adapters[Any]:
    """The adapters of a product that sends money, by its name. Raises LookupError."""
    return Adapters(product, named(product).provider_setting)


def rails() -> Mapping[str, RailDeclaration]:
    """Every rail of settings.RAILS, by its code."""
    return {rail.code: rail for rail in map(_declaration, settings.RAILS)}


def is_simulated(code: str) -> bool:
    """False for a code that no rail has."""
    rail = rails().get(code)
    return rail is not None and rail.is_simulated


def find_rail(code: str) -> RailDeclaration | None:
    """The rail of settings.RAILS, or of a provider account, with this code."""
    return rails().get(code) or _accounts.find(code)


@dataclass(slots=True)
class _Accounts:
    """Provider accounts are rows, but this package has no tables. So payments.rails sets `find`."""

    find: Callable[[str], RailDeclaration | None] = lambda code: None


_accounts = _Accounts()


def use_accounts(find: Callable[[str], RailDeclaration | None]) -> None:
    """`find` returns the rail of the account with this slug."""
    _accounts.find = find


def refuses_callback(path: str, headers: Mapping[str, str], now: datetime) -> bool:
    """Whether POST /callbacks/<product>/<provider> is refused without reading its body.

    The event loop asks, which must not wait for the database: the body is read for each code that
    an account may have.
    """
    code = path.rstrip("/").rpartition("/")[2]
    rail = rails().get(code)
    if rail is None:
        return not may_be_code(code)
    if rail.check_callback_headers is None:
        return False
    try:
        rail.check_callback_headers(headers, now)
    except InvalidCallback:
        return True
    return False


@cache
def _declaration(path: str) -> RailDeclaration:
    declaration: RailDeclaration = import_string(path)
    return declaration
