"""The provider accounts that can take a payment of an order.

`method` is one of the page's three methods, the key of a direct method, or empty for any. `fields`
are what the payer filled in: of CRYPTO the coin and its network.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from merchants.models import Method
from payments.collect.models import Order
from payments.collect.services.charges import payer_facts
from payments.collect.services.errors import (
    PayerFactsMissing,
    ProviderUnavailable,
    TermsNotAccepted,
)
from payments.core import money
from payments.providers import ports, registry
from payments.rails.services import rail_lists
from payments.rails.services.routing import Demand, RouteTable


@dataclass(frozen=True, slots=True)
class Serving:
    """The account that would take a payment now, what it asks the payer to accept, and to know."""

    account: str
    terms: tuple[ports.Term, ...]
    needs: ports.PayerNeeds


NO_FIELDS: Mapping[str, str] = {}


def accounts_for(
    order: Order,
    method: str,
    table: RouteTable | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> list[str]:
    """The slugs of the accounts, in the order in which they are tried.

    CRYPTO without a coin: those that serve the coins which the payer may choose.
    """
    table = table or load_routes()
    coin = fields.get("coin", "") if method == Method.CRYPTO else ""
    if method == Method.CRYPTO and not coin:
        return list(dict.fromkeys(account for _coin, account in _serving_coins(order, table)))
    demand = Demand(
        method=method,
        currency=order.currency,
        coin=coin,
        network=fields.get("network", "") if coin else "",
        merchant_id=order.merchant_id,
        amount=order.amount,
    )
    return table.accounts_for(demand)


def coin_options(order: Order, table: RouteTable | None = None) -> list[tuple[ports.Coin, str]]:
    """The coins that the payer may choose, each with the account that serves it now.

    In the order of the routes, and one for each coin on each network. An order in a coin is paid
    in that coin.
    """
    table = table or load_routes()
    return [one for one in _serving_coins(order, table) if not table.is_down(one[1])]


def _serving_coins(order: Order, table: RouteTable) -> Iterator[tuple[ports.Coin, str]]:
    listed = (coin for rail in table.rails.values() if rail for coin in rail.coins)
    for key, coin in {coin.key: coin for coin in listed}.items():
        if order.currency not in (money.FIAT, coin.code):
            continue
        chosen = {"coin": coin.code, "network": coin.network}
        for account in accounts_for(order, Method.CRYPTO, table, chosen)[:1]:
            rail = table.rails[account]
            yield from ((one, account) for one in rail.coins if one.key == key) if rail else ()


def serving_account(
    order: Order,
    method: str,
    table: RouteTable | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> Serving:
    """An account that takes the customer's document comes before those that do not.

    An account that cannot list its terms takes no new charge. Raises ProviderUnavailable.
    """
    table = table or load_routes()
    for account, needs in _by_document(order, method, table, fields):
        try:
            return Serving(account, rail_lists.terms(account), needs)
        except ports.ProviderError:
            continue
    raise ProviderUnavailable


def _by_document(
    order: Order, method: str, table: RouteTable, fields: Mapping[str, str] = NO_FIELDS
) -> list[tuple[str, ports.PayerNeeds]]:
    accounts = accounts_for(order, method, table, fields)
    found = [(account, needs_of(account, method, table)) for account in accounts]
    if len(found) < 2:
        return found
    return sorted(
        found,
        key=lambda one: (table.is_down(one[0]), not one[1].takes(order.customer_doc_type)),
    )


def needs_of(account: str, method: str, table: RouteTable) -> ports.PayerNeeds:
    """What the method needs to know of the payer at the account, which is one of the table."""
    rail = table.rails[account]
    if rail is None or rail.payin is None:
        return ports.PayerNeeds()
    if method in Method.values:
        return rail.payer_needs.get(ports.Rail(method), ports.PayerNeeds())
    direct = (one.needs for one in rail.payin.direct_methods() if one.key == method)
    return next(direct, ports.PayerNeeds())


def taken_documents(order: Order, method: str, table: RouteTable) -> tuple[str, ...]:
    """The types that the method takes, if no account takes the customer's. Empty if one does, or if
    the customer's is not known yet.
    """
    if not order.customer_doc_type:
        return ()
    needs = [needs_of(one, method, table) for one in accounts_for(order, method, table)]
    if not needs or any(one.takes(order.customer_doc_type) for one in needs):
        return ()
    return tuple(dict.fromkeys(name for one in needs for name in one.documents))


def choose_account(
    order: Order,
    method: str,
    payer: ports.Payer,
    accepted: Collection[str],
    fields: Mapping[str, str] = NO_FIELDS,
) -> str:
    """Empty where no account carries the method.

    Raises TermsNotAccepted, PayerFactsMissing, ProviderUnavailable.
    """
    table = load_routes()
    candidates = accounts_for(order, method, table, fields)
    if not candidates:
        return ""
    informed = informed_accounts(candidates, method, payer, table)
    if (account := next(accepting_accounts(informed, accepted), None)) is not None:
        return account
    # Nothing is missing for an account that cannot list its terms, but the account.
    serving = serving_account(order, method, table, fields)
    if missing := serving.needs.missing(payer):
        raise PayerFactsMissing(key for fact in missing for key in payer_facts.KEYS[fact])
    raise TermsNotAccepted


def informed_accounts(
    accounts: Iterable[str], method: str, payer: ports.Payer, table: RouteTable
) -> list[str]:
    """Those that need to know no more of the payer."""
    return [one for one in accounts if not needs_of(one, method, table).missing(payer)]


def accepting_accounts(accounts: Iterable[str], accepted: Collection[str]) -> Iterator[str]:
    """Those of whose documents the payer accepted every URL."""
    for account in accounts:
        try:
            terms = rail_lists.terms(account)
        except ports.ProviderError:
            continue
        if all(term.url in accepted for term in terms):
            yield account


def offered_methods(order: Order, table: RouteTable | None = None) -> list[str]:
    """The page's methods that the order allows and an account carries whose circuit is closed.

    Pesos can be paid over every rail, a coin only over its own networks.
    """
    allowed = order.allowed_methods
    if order.currency != money.FIAT:
        allowed = [method for method in allowed if method == Method.CRYPTO]
    table = table or load_routes()
    return [method for method in allowed if _is_offered(order, method, table)]


def _is_offered(order: Order, method: str, table: RouteTable) -> bool:
    if method == Method.CRYPTO:
        return bool(coin_options(order, table))
    # An account with an open circuit comes last.
    return any(not table.is_down(account) for account in accounts_for(order, method, table)[:1])


def direct_methods_for(
    order: Order, table: RouteTable | None = None
) -> tuple[ports.DirectMethod, ...]:
    """The direct methods of all accounts.

    If two accounts have the same method, the account that is tried first counts. Raises
    ProviderUnavailable when no account can list its methods.
    """
    table = table or load_routes()
    listed: dict[str, tuple[ports.DirectMethod, ...]] = {}
    problem: Exception | None = None
    for account in accounts_for(order, "", table):
        try:
            listed[account] = _methods_of(account)
        except (ports.ProviderError, registry.UnknownProvider) as error:
            problem = error
    if not listed:
        raise ProviderUnavailable from problem
    found: dict[str, ports.DirectMethod] = {}
    for account, methods in listed.items():
        for method in methods:
            carriers = (one for one, _ in _by_document(order, method.key, table) if one in listed)
            if account == next(carriers, None) and not table.is_down(account):
                found.setdefault(method.key, method)
    return tuple(found.values())


def _methods_of(account: str) -> tuple[ports.DirectMethod, ...]:
    methods = registry.PAYIN.get(account).direct_methods()
    terms = rail_lists.terms(account) if methods else ()
    found = (_with_banks(account, method) for method in methods)
    return tuple(replace(method, terms=terms) for method in found if method)


def _with_banks(account: str, method: ports.DirectMethod) -> ports.DirectMethod | None:
    """None while the rail does not list its banks: the payer could not choose one."""
    fields = method.required_fields
    if not any(map(_lacks_banks, fields)):
        return method
    try:
        banks = rail_lists.banks(account)
    except ports.ProviderError:
        return None
    options = tuple(ports.FieldOption(value=bank.code, label=bank.name) for bank in banks)
    filled = (replace(one, options=options) if _lacks_banks(one) else one for one in fields)
    return replace(method, required_fields=tuple(filled))


def _lacks_banks(field: ports.RequiredField) -> bool:
    return field.type is ports.FieldType.BANK_SELECT and not field.options


def load_routes() -> RouteTable:
    return RouteTable.load(registry.PAYIN.name)
