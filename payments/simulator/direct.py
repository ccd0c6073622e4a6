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
FLOWS = {
    PSE: Flow.REDIRECT,
    BANK_REDIRECT: Flow.REDIRECT,
    PUSH_WALLET: Flow.PUSH,
    BREB_KEY: Flow.KEY,
}
CATEGORIES = {
    PSE: Rail.PSE,
    BANK_REDIRECT: Rail.PSE,
    PUSH_WALLET: Rail.BANK_TRANSFER,
    BREB_KEY: Rail.BANK_TRANSFER,
}
MIN_AMOUNT = Decimal(1000)
# Above the smallest order, so that a minimum can be seen at work.
BANK_REDIRECT_MIN_AMOUNT = Decimal(5000)


def methods() -> tuple[DirectMethod, ...]:
    """All of them, with labels in the language of the current thread."""
    return (
        _method(PSE, "PSE", (_bank(), _person_type()), on_our_page=False),
        _method(BANK_REDIRECT, _("Button of a bank"), min_amount=BANK_REDIRECT_MIN_AMOUNT),
        _method(PUSH_WALLET, _("Wallet on your phone"), (_phone(),)),
        _method(BREB_KEY, _("Bre-B key")),
    )


def flow_of(request: ChargeRequest) -> Flow:
    """What the payer does next: by the direct method, else by the rail."""
    if request.direct_method:
        return FLOWS[request.direct_method]
    return Flow.REDIRECT if request.method is Rail.PSE else Flow.INSTRUCTIONS


def makes_sense(request: ChargeRequest) -> bool:
    """Whether the direct method exists, is of that rail, and has what it needs."""
    if CATEGORIES.get(request.direct_method) is not request.method:
        return False
    return request.direct_method != PUSH_WALLET or bool(request.fields.get("phone"))


def _method(
    key: str,
    label: str,
    fields: tuple[RequiredField, ...] = (),
    min_amount: Decimal = MIN_AMOUNT,
    on_our_page: bool = True,
) -> DirectMethod:
    is_redirect = FLOWS[key] is Flow.REDIRECT
    return DirectMethod(
        key=key,
        label=label,
        category=CATEGORIES[key],
        ui_type=UiType.WEBVIEW if is_redirect else UiType.PUSH,
        flow=FLOWS[key],
        min_amount=min_amount,
        required_fields=fields,
        on_our_page=on_our_page,
    )


def _bank() -> RequiredField:
    options = tuple(FieldOption(value=bank.code, label=bank.name) for bank in BANKS)
    return RequiredField(
        key="bankCode", type=FieldType.BANK_SELECT, label=_("Bank"), options=options
    )


def _person_type() -> RequiredField:
    options = (
        FieldOption(value="NATURAL", label=_("A person")),
        FieldOption(value="LEGAL", label=_("A company")),
    )
    return RequiredField(
        key="personType", type=FieldType.SELECT, label=_("Whose account is it?"), options=options
    )


def _phone() -> RequiredField:
    return RequiredField(key="phone", type=FieldType.PHONE, label=_("Mobile phone of the wallet"))
