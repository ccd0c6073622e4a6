"""The methods that a shop offers on a payment page of its own (contract, Direct API).

The payer's fields are checked here; the charge itself is started as on our page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from merchants.models import Method
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation
from payments.collect.services.errors import MethodNotAvailable, ProviderUnavailable
from payments.collect.services.orders.lookup import check_not_over, missing_amount
from payments.core import money
from payments.core.errors import ValidationFailed
from payments.core.text import colombian_mobile, normalised_document
from payments.providers import ports, registry


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectChoice:
    """`payer` has what differs from the order's customer."""

    method: str
    fields: Mapping[str, str]
    payer: Mapping[str, str]
    return_url: str | None


def list_methods(
    *, order: Order, now: datetime, missing: Decimal | None = None
) -> list[ports.DirectMethod]:
    """The methods that can still pay the order, in the order of the provider.

    Those of an allowed category whose minimum is reached by what is missing; none once the order
    is over. Raises ProviderUnavailable.
    """
    if order.is_final or order.expires_at <= now or order.currency != money.FIAT:
        return []
    if missing is None:
        missing = missing_amount(order)
    return [
        method
        for method in _offered()
        if method.category in order.allowed_methods and method.min_amount <= missing
    ]


def list_page_methods(
    *, order: Order, now: datetime, missing: Decimal | None = None
) -> list[ports.DirectMethod]:
    """What our own page offers beside its three methods, where the shop is enabled.

    Empty while the provider is unavailable: the page has other methods.
    """
    if not order.merchant.direct_api_enabled:
        return []
    try:
        offered = list_methods(order=order, now=now, missing=missing)
        return [method for method in offered if method.on_our_page]
    except ProviderUnavailable:
        return []


def find_method(methods: list[ports.DirectMethod], key: str) -> ports.DirectMethod:
    """Raises MethodNotAvailable."""
    for method in methods:
        if method.key == key:
            return method
    raise MethodNotAvailable


def get_label(charge: Charge) -> str:
    """What the payer calls the way they chose, in the language of the current thread."""
    labels = {method.key: method.label for method in _known(charge.provider)}
    return labels.get(charge.direct_method) or str(Method(charge.method).label)


def start_direct_charge(*, order: Order, choice: DirectChoice, now: datetime) -> Charge:
    """Starts a payment over the provider's method, a new one each time (contract, Collections 3).

    Raises OrderNotPayable, MethodNotAvailable, ValidationFailed, ChargeRefused and
    ProviderUnavailable.
    """
    check_not_over(order, now)
    found = find_method(list_methods(order=order, now=now), choice.method)
    is_redirect = found.flow is ports.Flow.REDIRECT
    if choice.return_url and not is_redirect:
        raise ValidationFailed({"returnUrl": "Only a method with the flow redirect leads back."})
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=found.category.value,
            direct=found,
            is_new_charge=True,
            payer=_payer(order, choice.payer),
            fields=validate_fields(found, choice.fields),
            return_url=(choice.return_url or order.return_url) if is_redirect else "",
        ),
        now=now,
    )


def validate_fields(method: ports.DirectMethod, given: Mapping[str, str]) -> dict[str, str]:
    """What the rail gets of what was filled in. Raises ValidationFailed on `fields.<key>`."""
    known = {field.key: field for field in method.required_fields}
    errors = {key: "The method has no such field." for key in given if key not in known}
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
        return "Must be one of the options."
    if field.type is ports.FieldType.PHONE and colombian_mobile(value) is None:
        return "Must be a Colombian mobile phone of 10 digits."
    return None


def _payer(order: Order, given: Mapping[str, str]) -> ports.Payer:
    """The order's customer, with what the shop sent in the request."""
    customer = charge_creation.payer_of(order)
    return ports.Payer(
        name=given.get("name") or customer.name,
        email=given.get("email") or customer.email,
        phone=given.get("phone") or customer.phone,
        document_type=given.get("docType") or customer.document_type,
        document_number=normalised_document(given.get("docNumber", "")) or customer.document_number,
    )


def _offered() -> tuple[ports.DirectMethod, ...]:
    try:
        return registry.PAYIN.configured().direct_methods()
    except (ports.ProviderError, registry.UnknownProvider) as error:
        raise ProviderUnavailable from error


def _known(provider: str) -> tuple[ports.DirectMethod, ...]:
    """For display only: a page must not fail because a label is missing."""
    try:
        return registry.PAYIN.get(provider).direct_methods()
    except (ports.ProviderError, registry.UnknownProvider):
        return ()
