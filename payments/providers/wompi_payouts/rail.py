"""Wompi's payouts for an operator: the credentials of the dashboard, and the checks."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core import money
from payments.providers.account import CheckLine, Credential, Finding, RailAccount, clock_line
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import ProviderError
from payments.providers.rail_type import RailType
from payments.providers.wompi_payouts.balances import balance_of, find_account
from payments.providers.wompi_payouts.client import PayoutsClient, check_credentials, rows_of
from payments.providers.wompi_payouts.payout import WompiPayout

# The rail refuses a known idempotency key for this time.
WINDOW = timedelta(hours=24)


def declare(account: RailAccount) -> RailDeclaration:
    return RailDeclaration(
        code=account.slug,
        outgoing={"payout": WompiPayout(account)},
        idempotency_window=WINDOW,
        reference_pattern=r"[A-Za-z0-9_]{1,40}",
    )


def check(account: RailAccount) -> Iterator[CheckLine]:
    client = PayoutsClient(account)
    try:
        own = find_account(client)
        balance = balance_of(own) if own else None
        answer = client.get("/v1/banks", "wompi_payouts.banks")
        banks = rows_of(answer)
    except ProviderError as error:
        yield CheckLine(subject="api_key", finding=Finding.FAILED, text=str(error))
        return
    yield clock_line(answer.skew_seconds)
    yield CheckLine(subject="api_key", finding=Finding.OK, text=gettext("%d banks") % len(banks))
    if own and balance is not None:
        left = money.digits(balance, money.FIAT)
        text = gettext("%(state)s, balance %(left)s COP")
        text %= {"state": own.get("status"), "left": left}
        yield CheckLine(subject="account_id", finding=Finding.OK, text=text)
    else:
        text = gettext("not an account of this contract")
        yield CheckLine(subject="account_id", finding=Finding.FAILED, text=text)
    yield CheckLine(
        subject="events_secret",
        finding=Finding.UNCHECKED,
        text=gettext("only a payout shows whether it is right"),
    )


_WHERE = _("From the dashboard of Wompi Pagos a Terceros.")
TYPE = RailType(
    code="wompi-payouts",
    label="Wompi Pagos a Terceros",
    about=_(
        "Pays payouts to bank accounts and Bre-B keys. Needs Wompi's contract for payments to "
        "third parties, which is not that of its collections, and money in its account."
    ),
    credentials=(
        Credential(name="api_key", label=_("API key"), help=_WHERE),
        Credential(
            name="user_principal_id",
            label=_("User principal id"),
            help=_WHERE,
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="account_id",
            label=_("Id of the account to pay from"),
            help=_("As the rail names it: the answer of GET /v1/accounts has it."),
            is_public=True,
            is_identity=True,
        ),
        Credential(
            name="email",
            label=_("E-mail"),
            help=_("Payouts to keys need one. The rail reports there."),
            is_public=True,
        ),
        Credential(
            name="events_secret",
            label=_("Events secret"),
            help=_("Of Pagos a Terceros: another one than that of collections."),
        ),
    ),
    check_credentials=check_credentials,
    declare=declare,
    check=check,
)
