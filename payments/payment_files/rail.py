"""The rail type of an account at Bancolombia that pays by files: what an operator enters.

It stands here and not beside the other providers, because its adapter answers from our tables.
"""

from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.payment_files import pab
from payments.payment_files.banks import BANCOLOMBIA
from payments.payment_files.header import header_of
from payments.payment_files.payout import FilePayout
from payments.providers.account import (
    CheckLine,
    Credential,
    Finding,
    InvalidCredentials,
    RailAccount,
)
from payments.providers.declaration import RailDeclaration
from payments.providers.rail_type import RailType

CODE = "pabfile"
_ANY_DAY = date(2026, 1, 1)


def declare(account: RailAccount) -> RailDeclaration:
    return RailDeclaration(
        code=account.slug,
        outgoing={"payout": FilePayout(account)},
        reference_pattern=r"[A-Za-z0-9_]{1,40}",
        is_decided_by_people=True,
    )


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials for what no file can have."""
    if account.credentials.get("bank_code") != BANCOLOMBIA:
        text = gettext("Files of this format are taken by Bancolombia only: %s.")
        raise InvalidCredentials("bank_code", text % BANCOLOMBIA)
    try:
        pab.check_header(header_of(account.credentials, _ANY_DAY, _ANY_DAY, "A"))
    except pab.NotEncodable as error:
        field = {"account": "account_number", "nit": "document"}.get(error.field, error.field)
        raise InvalidCredentials(field, str(error)) from error


def check(account: RailAccount) -> Iterator[CheckLine]:
    """There is nothing to call: a first file of one small payment shows what the bank takes."""
    yield CheckLine(
        subject="file",
        finding=Finding.UNCHECKED,
        text=gettext("only the bank's portal shows whether it takes a file of this account"),
    )


TYPE = RailType(
    code=CODE,
    label=_("Payment files (PAB, Bancolombia)"),
    about=_(
        "Pays payouts by files that you upload to Bancolombia's portal for companies. Needs an "
        "account there with payments by file; people enter the bank's answers."
    ),
    credentials=(
        Credential(
            name="bank_code",
            label=_("Bank"),
            help=_("The code at ACH Colombia. Files of this format are Bancolombia's."),
            default=BANCOLOMBIA,
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="account_number",
            label=_("Account to pay from"),
            help=_("Eleven digits, without dashes."),
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="account_type",
            label=_("Account type"),
            choices=(("SAVINGS", _("Savings")), ("CHECKING", _("Checking"))),
            is_public=True,
        ),
        Credential(
            name="document",
            label=_("NIT of the payer"),
            help=_("Digits only, as the bank's portal shows it."),
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="payment_class",
            label=_("Class of payments"),
            choices=(("220", _("Suppliers (220)")), ("225", _("Payroll (225)"))),
            default="220",
            is_public=True,
        ),
        Credential(
            name="application",
            label=_("When the bank pays on the day"),
            choices=(("I", _("At once")), ("M", _("At midday")), ("N", _("At night"))),
            default="I",
            is_public=True,
        ),
        Credential(
            name="purpose",
            label=_("Purpose"),
            help=_("At most ten capital letters and digits. Beneficiaries may see it."),
            default="PAGOS",
            is_public=True,
        ),
    ),
    check_credentials=check_credentials,
    declare=declare,
    check=check,
    sends_callbacks=False,
)
