"""The provider type `bankfile`: payers send to the operator's own bank account.

It stands here and not among the adapters, because it answers from imported statements.
"""

from collections.abc import Iterator

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.providers.account import CheckLine, Finding, RailAccount
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import PayerNeeds, Rail
from payments.providers.rail_type import RailType
from payments.reconciliation import references
from payments.reconciliation.bankfile import credentials
from payments.reconciliation.bankfile.payin import BankfilePayin
from payments.reconciliation.services import bank_accounts

CODE = "bankfile"


def declare(account: RailAccount) -> RailDeclaration:
    return RailDeclaration(
        code=account.slug,
        payin=BankfilePayin(account),
        payer_needs={Rail.BANK_TRANSFER: PayerNeeds()},
        refunds=Refunds.PAYOUT,
        reference_pattern=references.PATTERN,
        wire_reference=references.new_reference,
    )


def check(account: RailAccount) -> Iterator[CheckLine]:
    """There is no bank to call: only a statement shows whether the account is right."""
    text = gettext("only a payment of your own shows whether money arrives there")
    yield CheckLine(subject="account_number", finding=Finding.UNCHECKED, text=text)
    known = bank_accounts.bank_account_of(
        account.credentials.get("account_number", ""), account.credentials.get("bank_code", "")
    )
    if known is None:
        text = gettext("no bank account with this number: its statements cannot be imported")
        yield CheckLine(subject="statements", finding=Finding.FAILED, text=text)
        return
    newest = known.files.order_by("-last_day").values_list("last_day", flat=True).first()
    if newest is None:
        text = gettext("%s, no statement yet") % known.label
        yield CheckLine(subject="statements", finding=Finding.UNCHECKED, text=text)
        return
    text = gettext("%s, statements until %s") % (known.label, newest)
    yield CheckLine(subject="statements", finding=Finding.OK, text=text)


TYPE = RailType(
    code=CODE,
    label=_("Own bank account (statements)"),
    about=_(
        "Collects by transfer to an account of yours. Needs no provider: you import the bank's "
        "statements, and the payments are found in them."
    ),
    credentials=credentials.CREDENTIALS,
    check_credentials=credentials.check_credentials,
    declare=declare,
    check=check,
    sends_callbacks=False,
)
