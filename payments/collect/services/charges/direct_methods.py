"""The methods that a shop offers on a payment page of its own (contract, Direct API).

The payer's fields are checked here; the charge itself is started as on our page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation, payer_facts, payin_accounts
from payments.collect.services.errors import (
    MethodNotAvailable,
    ProviderUnavailable,
    TermsNotAccepted,
)
from payments.collect.services.orders.lookup import check_not_over, missing_amount
from payments.core import money
from payments.core.errors import ValidationFailed
from payments.core.text import colombian_mobile, normalised_document, quotable
from payments.providers import ports
from payments.rails.services.routing import RouteTable

ONLY_REDIRECT = "Is only allowed when the method's flow is `redirect`."
# Of the values of a list, in a message.
SHOWN_OPTIONS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectChoice:
    """`payer` has what differs from the order's customer."""

    method: str
    fields: Mapping[str, str]
    payer: Mapping[str, str]
    return_url: str | None
    accepted_terms: bool = False


def list_methods(
    *,
    order: Order,
    now: datetime,
    missing: Decimal | None = None,
    most: Decimal | None = None,
    table: RouteTable | None = None,
) -> list[ports.DirectMethod]:
    """The methods that can still pay the order, sorted as the provider does.

    Their category is allowed, and they carry the missing amount in one charge; with `most`, some
    amount from `missing` to that one. None after the order's end. They ask for what they need to
    know of the payer and the order does not have.
    Raises ProviderUnavailable.
    """
    if order.is_final or order.expires_at <= now or order.currency != money.FIAT:
        return []
    if missing is None:
        missing = missing_amount(order)
    customer = charge_creation.payer_of(order)
    return [
        _asking(method, customer)
        for method in payin_accounts.direct_methods_for(order, table)
        if method.category in order.allowed_methods and method.carries(missing, most)
    ]


def list_page_methods(
    *,
    order: Order,
    now: datetime,
    missing: Decimal | None = None,
    most: Decimal | None = None,
    table: RouteTable | None = None,
) -> list[ports.DirectMethod]:
    """The methods that our page offers beside its own three, if the merchant has the Direct API.

    Empty while the provider is unavailable, because the page still has its own methods.
    """
    if not order.merchant.direct_api_enabled:
        return []
    try:
        offered = list_methods(order=order, now=now, missing=missing, most=most, table=table)
        return [method for method in offered if method.on_our_page]
    except ProviderUnavailable:
        return []


def find_method(methods: list[ports.DirectMethod], key: str) -> ports.DirectMethod:
    """Raises MethodNotAvailable."""
    for method in methods:
        if method.key == key:
            return method
    raise MethodNotAvailable


def start_direct_charge(*, order: Order, choice: DirectChoice, now: datetime) -> Charge:
    """Starts a payment over the provider's method, a new one each time (contract, Collections 3).

    Raises OrderNotPayable, MethodNotAvailable, ValidationFailed, ChargeRefused and
    ProviderUnavailable.
    """
    check_not_over(order, now)
    found = _find_or_explain(order, choice.method, now)
    # The page with a QR code is ours: the shop sends the payer there, and we lead back.
    has_page = found.flow in (ports.Flow.REDIRECT, ports.Flow.QR)
    if choice.return_url and not has_page:
        raise ValidationFailed({"returnUrl": ONLY_REDIRECT})
    customer = _payer(order, choice.payer)
    values = validate_fields(_asking_rest(found, customer), choice.fields)
    payer = payer_facts.complete(customer, values)
    if found.terms and not choice.accepted_terms:
        raise TermsNotAccepted
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=found.category.value,
            direct=found,
            is_new_charge=True,
            payer=payer,
            fields=rail_fields(values),
            return_url=(choice.return_url or order.return_url) if has_page else "",
            accepted=found.terms if choice.accepted_terms else (),
        ),
        now=now,
    )


def _find_or_explain(order: Order, key: str, now: datetime) -> ports.DirectMethod:
    """Raises MethodNotAvailable with the reason, and with the methods that are available."""
    offered = list_methods(order=order, now=now)
    try:
        return find_method(offered, key)
    except MethodNotAvailable:
        available = ", ".join(one.key for one in offered) or "none"
        reason = _why_not(order, key)
        raise MethodNotAvailable(f"{reason} Available: {available}.") from None


def _why_not(order: Order, key: str) -> str:
    if order.currency != money.FIAT:
        return f"Only an order in {money.FIAT} can be paid like this."
    for method in payin_accounts.direct_methods_for(order):
        if method.key != key:
            continue
        if method.category not in order.allowed_methods:
            return f"{key} is {method.category}, which the order's allowedMethods leave out."
        if missing_amount(order) < method.min_amount:
            return f"{key} needs at least {money.Spoken(method.min_amount, money.FIAT)}."
        if method.max_amount is not None:
            return f"{key} takes at most {money.Spoken(method.max_amount, money.FIAT)}."
    return f'There is no method "{quotable(key)}".'


def _asking(method: ports.DirectMethod, payer: ports.Payer) -> ports.DirectMethod:
    asked = payer_facts.fields_for(method.needs, payer)
    return replace(method, required_fields=(*method.required_fields, *asked)) if asked else method


def _asking_rest(method: ports.DirectMethod, payer: ports.Payer) -> ports.DirectMethod:
    """The facts that the shop sent in `payer` may be absent among the fields."""
    missing = {key for fact in method.needs.missing(payer) for key in payer_facts.KEYS[fact]}
    asked = {one.key for one in method.required_fields} & payer_facts.ALL_KEYS
    fields = [
        replace(one, required=False) if one.key in asked - missing else one
        for one in method.required_fields
    ]
    added = [one for one in payer_facts.fields_for(method.needs, payer) if one.key not in asked]
    return replace(method, required_fields=(*fields, *added))


def rail_fields(values: Mapping[str, str]) -> dict[str, str]:
    """Without the facts of the payer, which are not the method's own."""
    return {key: value for key, value in values.items() if key not in payer_facts.ALL_KEYS}


def validate_fields(method: ports.DirectMethod, given: Mapping[str, str]) -> dict[str, str]:
    """The values for the rail. Raises ValidationFailed with the paths `fields.<key>`."""
    known = {field.key: field for field in method.required_fields}
    no_such = f"The method has no such field. Its fields: {', '.join(known) or 'none'}."
    errors = {key: no_such for key in given if key not in known}
    values: dict[str, str] = {}
    for key, field in known.items():
        value = given.get(key, "")
        if not value and field.required:
            errors[key] = "This field is required."
        elif value and (problem := _problem(field, value)):
            errors[key] = problem
        elif value:
            is_phone = field.type is ports.FieldType.PHONE
            values[key] = (colombian_mobile(value) or value) if is_phone else value
    if errors:
        raise ValidationFailed({f"fields.{key}": message for key, message in errors.items()})
    return values


def _problem(field: ports.RequiredField, value: str) -> str | None:
    if field.options and value not in {option.value for option in field.options}:
        values = [option.value for option in field.options]
        more = ", ..." if len(values) > SHOWN_OPTIONS else ""
        return f"Must be one of the options: {', '.join(values[:SHOWN_OPTIONS])}{more}."
    if field.type is ports.FieldType.PHONE and colombian_mobile(value) is None:
        return "Must be a Colombian mobile: 10 digits that begin with 3, as in 3001234567."
    return None


def _payer(order: Order, given: Mapping[str, str]) -> ports.Payer:
    customer = charge_creation.payer_of(order)
    return ports.Payer(
        name=given.get("name") or customer.name,
        email=given.get("email") or customer.email,
        phone=given.get("phone") or customer.phone,
        document_type=given.get("docType") or customer.document_type,
        document_number=normalised_document(given.get("docNumber", "")) or customer.document_number,
    )
