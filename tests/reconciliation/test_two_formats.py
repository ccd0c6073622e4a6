"""Two movements of one day and one amount, of which only one is a referenced collection.

Asobancaria files have the one, the account's movements have both. Whatever file comes first, no
movement gets the texts of the other.
"""

from datetime import date
from decimal import Decimal
from itertools import permutations

import pytest

from payments.core import clock
from payments.reconciliation.models import StatementLine
from payments.reconciliation.services.imports import NewStatement, import_statement
from tests.reconciliation.own_csv import open_account
from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.plan import Kind
from tests.reconciliation.shop.writers import asobancaria, bancolombia, camt053
from tests.reconciliation.shop.writers.period import Account, Period

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 8)
OPENING = Decimal(1_000_000)
COLLECTED, OTHER = "61786324645", "7000 0030 884"


def line(name: str, typed: str, operation: str, *, is_collected: bool) -> BankLine:
    return BankLine(
        day=DAY,
        at=moment(DAY, 9),
        amount=Decimal(420_210),
        kind=Kind.CHARGE,
        text=f"PAGO LLAVE {name} {typed}",
        typed=typed,
        name=name,
        is_collected=is_collected,
        operation=operation,
        authorisation=operation,
    )


BOTH = (
    line("FERNANDA IGUARAN DIAZ", OTHER, "100193", is_collected=False),
    line("VIVIANA MORENO CUASPUD", f"000{COLLECTED}", "100267", is_collected=True),
)
WRITERS = {"asobancaria": asobancaria, "bancolombia": bancolombia, "camt053": camt053}


@pytest.mark.parametrize("formats", list(permutations(WRITERS, 2)))
@pytest.mark.parametrize("is_reversed", [False, True])
def test_no_movement_gets_the_texts_of_another(formats: tuple[str, str], is_reversed: bool) -> None:
    open_account()
    lines = BOTH[::-1] if is_reversed else BOTH
    period = Period(Account("12345678901"), DAY, DAY, OPENING, lines)
    for name in formats:
        data = WRITERS[name].write(period)
        new = NewStatement(name=name, content=data, source="COMMAND", account="main")
        import_statement(new=new, actor="olga", now=clock.now())
    stored = list(StatementLine.objects.order_by("pk"))

    said = [f"{one.reference} {one.description} {one.counterparty}" for one in stored]

    assert len(stored) == 2
    assert sum(COLLECTED in text for text in said) == 1
    for text in said:
        is_second = "VIVIANA" in text or COLLECTED in text
        assert not (is_second and ("FERNANDA" in text or OTHER in text)), said
