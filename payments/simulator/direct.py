"""The methods that the simulator offers to shops with a payment page of their own.

The names are neutral: they stand for kinds of rails, not for companies.
"""

from collections.abc import Mapping
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext as _

from payments.providers import ports
from payments.simulator.banks import BANK_NAMES

PSE = "pse"
BANK_REDIRECT = "bank_redirect"
PUSH_WALLET = "push_wallet"
BREB_KEY = "breb_key"
# The rail of each, and what the payer does next.
RAILS = {
    PSE: (ports.Rail.PSE, ports.Flow.REDIRECT),
    BANK_REDIRECT: (ports.Rail.PSE, ports.Flow.REDIRECT),
    PUSH_WALLET: (ports.Rail.BANK_TRANSFER, ports.Flow.PUSH),
    BREB_KEY: (ports.Rail.BANK_TRANSFER, ports.Flow.KEY),
}
MIN_AMOUNT = Decimal(1000)
# Above the smallest order, so that developers meet the minimum.
BANK_REDIRECT_MIN_AMOUNT = Decimal(5000)


def methods() -> tuple[ports.DirectMethod, ...]:
    """The labels are in the language of the current thread."""
    types = {"NATURAL": _("A person"), "LEGAL": _("A company")}
    bank = _field("bankCode", ports.FieldType.BANK_SELECT, _("Bank"), BANK_NAMES)
    person_type = _field("personType", ports.FieldType.SELECT, _("Whose account is it?"), types)
    phone = _field("phone", ports.FieldType.PHONE, _("Mobile phone of the wallet"))
    return (
        _method(PSE, "PSE", (bank, person_type)),
        _method(BANK_REDIRECT, _("Button of your bank"), min_amount=BANK_REDIRECT_MIN_AMOUNT),
        _method(PUSH_WALLET, _("Digital wallet (Nequi, DaviPlata)"), (phone,)),
        _method(BREB_KEY, _("Bre-B key"), max_amount=settings.BREB_MAX_AMOUNT),
    )


def flow_of(request: ports.ChargeRequest) -> ports.Flow:
    """What the payer does next: by the direct method, else by the rail."""
    if request.direct_method:
        return RAILS[request.direct_method][1]
    return ports.Flow.REDIRECT if request.method is ports.Rail.PSE else ports.Flow.INSTRUCTIONS


def is_valid(request: ports.ChargeRequest) -> bool:
    """Whether the direct method exists, belongs to the rail, and has its required fields."""
    if request.direct_method not in RAILS or RAILS[request.direct_method][0] is not request.method:
        return False
    return request.direct_method != PUSH_WALLET or bool(request.fields.get("phone"))


def _method(
    key: str,
    label: str,
    fields: tuple[ports.RequiredField, ...] = (),
    min_amount: Decimal = MIN_AMOUNT,
    max_amount: Decimal | None = None,
) -> ports.DirectMethod:
    category, flow = RAILS[key]
    return ports.DirectMethod(
        key=key,
        label=label,
        category=category,
        ui_type=ports.UiType.WEBVIEW if flow is ports.Flow.REDIRECT else ports.UiType.PUSH,
        flow=flow,
        min_amount=min_amount,
        max_amount=max_amount,
        required_fields=fields,
        on_our_page=key != PSE,
    )


def _field(
    key: str, field_type: ports.FieldType, label: str, choices: Mapping[str, str] | None = None
) -> ports.RequiredField:
    options = tuple(ports.FieldOption(value=v, label=text) for v, text in (choices or {}).items())
    return ports.RequiredField(key=key, type=field_type, label=label, options=options)
