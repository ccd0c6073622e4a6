"""The provider accounts that can take a payment of an order.

`method` is one of the page's three methods, the key of a direct method, or empty for any.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
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
from payments.providers import breaker, ports, registry
from payments.rails.services import rail_lists
from payments.rails.services.routing import Demand, RouteTable, circuit


@dataclass(frozen=True, slots=True)
class Serving:
    """The account that would take a payment now, what it asks the payer to accept, and to know."""

    account: str
    terms: tuple[ports.Term, ...]
    needs: ports.PayerNeeds


def accounts_for(order: Order, method: str, table: RouteTable | None = None) -> list[str]:
    """The slugs of the accounts, in the order in which they are tried."""
    demand = Demand(
        method=method,
        currency=order.currency,
        merchant_id=order.merchant_id,
        amount=order.amount,
    )
    return (table or load_routes()).accounts_for(demand)


def serving_account(order: Order, method: str, table: RouteTable | None = None) -> Serving:
    """An account that takes the customer's document comes before those that do not.

    An account that cannot list its terms takes no new charge. Raises ProviderUnavailable.
    """
    table = table or load_routes()
    for account, needs in _by_document(order, method, table):
        try:
            return Serving(account, rail_lists.terms(account), needs)
        except ports.ProviderError:
            continue
    raise ProviderUnavailable


def _by_document(
    order: Order, method: str, table: RouteTable
) -> list[tuple[str, ports.PayerNeeds]]:
    accounts = accounts_for(order, method, table)
    found = [(account, needs_of(account, method, table)) for account in accounts]
    if len(found) < 2:
        return found
    return sorted(
        found,
        key=lambda one: (is_down([one[0]]), not one[1].takes(order.customer_doc_type)),
    )


def needs_of(account: str, method: str, table: RouteTable | None = None) -> ports.PayerNeeds:
    """What the method needs to know of the payer at the account."""
    known = table.rails.get(account) if table else None
    rail = known or registry.find_rail(account)
    if rail is None or rail.payin is None:
        return ports.PayerNeeds()
    if method in Method.values:
        return rail.payer_needs.get(ports.Rail(method), ports.PayerNeeds())
    direct = (one.needs for one in rail.payin.direct_methods() if one.key == method)
    return next(direct, ports.PayerNeeds())


def taken_documents(order: Order, method: str, table: RouteTable) -> tuple[str, ...]:
    """The types that the method takes, if no account takes the customer's. Empty if one does."""
    needs = [needs_of(one, method, table) for one in accounts_for(order, method, table)]
    if not needs or any(one.takes(order.customer_doc_type) for one in needs):
        return ()
    return tuple(dict.fromkeys(name for one in needs for name in one.documents))


def choose_account(order: Order, method: str, payer: ports.Payer, accepted: Collection[str]) -> str:
    """Empty where no account carries the method.

    Raises TermsNotAccepted, PayerFactsMissing, ProviderUnavailable.
    """
    candidates = accounts_for(order, method)
    if not candidates:
        return ""
    informed = informed_accounts(candidates, method, payer)
    if (account := next(accepting_accounts(informed, accepted), None)) is not None:
        return account
    # Nothing is missing for an account that cannot list its terms, but the account.
    serving = serving_account(order, method)
    if missing := serving.needs.missing(payer):
        raise PayerFactsMissing(key for fact in missing for key in payer_facts.KEYS[fact])
    raise TermsNotAccepted


def informed_accounts(accounts: Iterable[str], method: str, payer: ports.Payer) -> list[str]:
    """Those that need to know no more of the payer."""
    return [one for one in accounts if not needs_of(one, method).missing(payer)]


def accepting_accounts(accounts: Iterable[str], accepted: Collection[str]) -> Iterator[str]:
    """Those of whose documents the payer accepted every URL."""
    for account in accounts:
        try:
            terms = rail_lists.terms(account)
        except ports.ProviderError:
            continue
        if all(term.url in accepted for term in terms):
            yield account


def is_down(accounts: Sequence[str]) -> bool:
    """Whether the circuit of each is open. An account with an open one comes last."""
    return bool(accounts) and breaker.is_open(circuit(registry.PAYIN.name, accounts[0]))


def offered_methods(order: Order, table: RouteTable | None = None) -> list[str]:
    """The page's methods that the order allows and an account carries whose circuit is closed.

    Pesos can be paid over every rail, a coin only over its own network.
    """
    allowed = order.allowed_methods
    if order.currency != money.FIAT:
        allowed = [method for method in allowed if method == Method.CRYPTO]
    table = table or load_routes()
    carried = {method: accounts_for(order, method, table) for method in allowed}
    return [method for method, found in carried.items() if found and not is_down(found)]


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
            if account == next(carriers, None) and not is_down([account]):
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
