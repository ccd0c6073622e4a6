"""What the books say at the end of a generated month, against the bank and the truth."""

from collections import defaultdict
from decimal import Decimal

from django.db.models import Sum

from payments.collect.models import Charge
from payments.ledger.models import Posting
from payments.reconciliation.models import StatementLine
from tests.reconciliation.month_truth import WAITING
from tests.reconciliation.shop.plan import Kind
from tests.reconciliation.told_service import CARDS, FILES, OWN, ToldService
from tests.support.charges import books_are_clean

NOTHING = Decimal(0)
# Each sale by card is disbursed within the month.
EMPTY = (
    "suspense:bank:COPM",
    f"transit:{CARDS}:COPM",
    *(f"clearing:{slug}:COPM" for slug in (OWN, FILES, CARDS)),
)


def balance(code: str) -> Decimal:
    found = Posting.objects.filter(account__code=code).aggregate(total=Sum("amount"))["total"]
    return found or NOTHING


def undecided() -> Decimal:
    waiting = StatementLine.objects.filter(status__in=WAITING)
    return waiting.aggregate(total=Sum("amount"))["total"] or NOTHING


def faults_of_books(told: ToldService) -> list[str]:
    """True at any moment when all days of the bank are imported."""
    found = []
    closing = told.bank.lines[-1].balance
    if balance("bank:main:COPM") != -closing:
        found.append(f"the books have {-balance('bank:main:COPM')}, the bank {closing}")
    if balance("suspense:bank:COPM") != undecided():
        found.append(f"suspense {balance('suspense:bank:COPM')}, undecided {undecided()}")
    if not books_are_clean():
        found.append("the ledger's verification finds problems")
    return found


def faults_of_ends(told: ToldService) -> list[str]:
    """True when no line waits any more."""
    found = [f"{code} has {balance(code)}" for code in EMPTY if balance(code)]
    return [*found, *_faults_of_charges(told)]


def _faults_of_charges(told: ToldService) -> list[str]:
    """Each charge got what the bank booked for its order: not a peso more, none less."""
    truly: dict[str, Decimal] = defaultdict(Decimal)
    for line in told.bank.lines:
        if line.kind is Kind.CHARGE:
            truly[line.subject] += line.amount
    received = dict(
        Charge.objects.filter(pk__in=told.charges.values()).values_list("pk", "received")
    )
    return [
        f"{key} received {received[charge]}, the bank booked {truly[key]}"
        for key, charge in told.charges.items()
        if received[charge] != truly[key]
    ]
