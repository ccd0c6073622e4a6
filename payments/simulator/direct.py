"""The methods that the simulator offers to shops with a payment page of their own.

Neutral names on purpose: they stand for kinds of rails, not for companies.
"""

from decimal import Decimal

from django.utils.translation import gettext as _

from payments.providers.ports import (
    ChargeRequest,
    DirectMethod,
    FieldOption,
    FieldType,
    Flow,
    Rail,
    RequiredField,
    UiType,
)
from payments.simulator.banks import BANKS

PSE = "pse"
BANK_REDIRECT = "bank_redirect"
PUSH_WALLET = "push_wallet"
BREB_KEY = "breb_key"
# What each counts as, and what the payer does next.
RAILS = {
    PSE: (Rail.PSE, Flow.REDIRECT),
    BANK_REDIRECT: (Rail.PSE, Flow.REDIRECT),
    PUSH_WALLET: (Rail.BANK_TRANSFER, Flow.PUSH),
    BREB_KEY: (Rail.BANK_TRANSFER, Flow.KEY),
}
MIN_AMOUNT = Decimal(1000)
# Above the smallest order, so that a minimum can be seen at work.
BANK_REDIRECT_MIN_AMOUNT = Decimal(5000)


def methods() -> tuple[DirectMethod, ...]:
    """With labels in the language of the current thread."""
    phone = RequiredField(key="phone", type=FieldType.PHONE, label=_("Mobile phone of the wallet"))
    return (
        _method(PSE, "PSE", (_bank(), _person_type())),
        _method(BANK_REDIRECT, _("Button of a bank"), min_amount=BANK_REDIRECT_MIN_AMOUNT),
        _method(PUSH_WALLET, _("Wallet on your phone"), (phone,)),
        _method(BREB_KEY, _("Bre-B key")),
    )


def flow_of(request: ChargeRequest) -> Flow:
    """What the payer does next: by the direct method, else by the rail."""
    if request.direct_method:
        return RAILS[request.direct_method][1]
    return Flow.REDIRECT if request.method is Rail.PSE else Flow.INSTRUCTIONS


def is_valid(request: ChargeRequest) -> bool:
    """Whether the direct method exists, is of that rail, and has what it needs."""
    if request.direct_method not in RAILS or RAILS[request.direct_method][0] is not request.method:
        return False
    return request.direct_method != PUSH_WALLET or bool(request.fields.get("phone"))


def _method(
    key: str,
    label: str,
    fields: tuple[RequiredField, ...] = (),
    min_amount: Decimal = MIN_AMOUNT,
) -> DirectMethod:
    category, flow = RAILS[key]
    return DirectMethod(
        key=key,
        label=label,
        category=category,
        ui_type=UiType.WEBVIEW if flow is Flow.REDIRECT else UiType.PUSH,
        flow=flow,
        min_amount=min_amount,
        required_fields=fields,
        on_our_page=key != PSE,
    )


def _bank() -> RequiredField:
    banks = {bank.code: bank.name for bank in BANKS}
    return _select("bankCode", FieldType.BANK_SELECT, _("Bank"), banks)


def _person_type() -> RequiredField:
    types = {"NATURAL": _("A person"), "LEGAL": _("A company")}
    return _select("personType", FieldType.SELECT, _("Whose account is it?"), types)


def _select(key: str, field_type: FieldType, label: str, labels: dict[str, str]) -> RequiredField:
    options = tuple(FieldOption(value=value, label=text) for value, text in labels.items())
    return RequiredField(key=key, type=field_type, label=label, options=options)
