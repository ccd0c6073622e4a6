"""Wompi for an operator: the credentials of its dashboard, and the checks of an account."""

from collections.abc import Iterator

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.providers.account import CheckLine, Credential, Finding, RailAccount, clock_line
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import ProviderError, Rail
from payments.providers.rail_type import RailType
from payments.providers.wompi import transactions
from payments.providers.wompi.client import WompiClient, check_credentials, data_of
from payments.providers.wompi.payin import WompiPayin


def declare(account: RailAccount) -> RailDeclaration:
    """Wompi's references are unique for ever, so the rail recognises a repeated one for ever."""
    return RailDeclaration(
        code=account.slug,
        payin=WompiPayin(account),
        payer_needs={Rail.PSE: transactions.PSE_NEEDS},
        refunds=Refunds.PAYOUT,
        idempotency_window=None,
        reference_pattern=r"[A-Za-z0-9_-]{1,255}",
    )


def check(account: RailAccount) -> Iterator[CheckLine]:
    client = WompiClient(account)
    try:
        answer = client.merchant_answer()
        merchant = data_of(answer)
    except ProviderError as error:
        yield CheckLine(subject="public_key", finding=Finding.FAILED, text=str(error))
        return
    yield clock_line(answer.skew_seconds)
    is_active = bool(merchant.get("active"))
    state = gettext("active") if is_active else gettext("not active")
    yield CheckLine(
        subject="public_key",
        finding=Finding.OK if is_active else Finding.FAILED,
        text=f"{merchant.get('name')}: {state}",
    )
    yield _methods_line(merchant.get("accepted_payment_methods"))
    try:
        banks = gettext("%d banks") % len(WompiPayin(account).banks())
        yield CheckLine(subject="banks", finding=Finding.OK, text=banks)
        client.transactions_of("pasarela-rail-check")
        yield CheckLine(
            subject="private_key", finding=Finding.OK, text=gettext("reads transactions")
        )
    except ProviderError as error:
        yield CheckLine(subject="private_key", finding=Finding.FAILED, text=str(error))
    for name in ("integrity_secret", "events_secret"):
        text = gettext("only a payment shows whether it is right")
        yield CheckLine(subject=name, finding=Finding.UNCHECKED, text=text)


def _methods_line(accepted: object) -> CheckLine:
    if not isinstance(accepted, list):
        text = gettext("Wompi names no methods")
        return CheckLine(subject="methods", finding=Finding.UNCHECKED, text=text)
    return CheckLine(subject="methods", finding=Finding.OK, text=", ".join(map(_method, accepted)))


# How Wompi's dashboard calls the methods. Another one is shown by its code.
_METHODS: dict[str, str | Promise] = {
    "CARD": _("Cards"),
    "PSE": "PSE",
    "NEQUI": "Nequi",
    "BANCOLOMBIA_TRANSFER": _("Bancolombia button"),
    "BANCOLOMBIA_QR": _("Bancolombia QR"),
    "BANCOLOMBIA_COLLECT": _("Cash at Bancolombia's correspondents"),
    "DAVIPLATA": "DaviPlata",
}


def _method(code: object) -> str:
    return str(_METHODS.get(str(code), code))


_KEYS = _(
    "Wompi's dashboard: Desarrollo > Programadores > Llaves del API. It begins with {test} in a "
    "sandbox account, and with {live} in a live one."
)
_SECRETS = _(
    "Wompi's dashboard: Desarrollo > Programadores > Secretos para integración técnica. It begins "
    "with {test} in a sandbox account, and with {live} in a live one."
)
TYPE = RailType(
    code="wompi",
    label="Wompi",
    about=_(
        "Collects by cards, PSE, Nequi, DaviPlata and Bancolombia. Needs a contract of Wompi as a "
        "merchant, with its keys and secrets."
    ),
    credentials=(
        Credential(
            name="public_key",
            label=_("Public key"),
            help=format_lazy(_KEYS, test="pub_test_", live="pub_prod_"),
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="private_key",
            label=_("Private key"),
            help=format_lazy(_KEYS, test="prv_test_", live="prv_prod_"),
        ),
        Credential(
            name="integrity_secret",
            label=_("Integrity secret"),
            help=format_lazy(_SECRETS, test="test_integrity_", live="prod_integrity_"),
        ),
        Credential(
            name="events_secret",
            label=_("Events secret"),
            help=format_lazy(_SECRETS, test="test_events_", live="prod_events_"),
        ),
    ),
    check_credentials=check_credentials,
    declare=declare,
    check=check,
)
