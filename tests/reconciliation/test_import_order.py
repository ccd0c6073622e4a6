"""A month in overlapping files: however it is cut, the same movements are stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from payments.ledger import services as ledger
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import StatementFile, StatementLine
from tests.reconciliation.own_csv import Row, books, give, open_account, statement

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# Few amounts, so that many movements are equal, also on neighbouring days.
_ROWS = st.lists(
    st.builds(
        Row,
        day=st.integers(1, 12),
        amount=st.sampled_from(["5000", "-5000", "70.25", "1"]),
        text=st.sampled_from(["A", "B"]),
        reference=st.sampled_from(["", "", "1234", "5678"]),
    ),
    min_size=1,
    max_size=25,
)
_CUTS = st.lists(st.tuples(st.integers(1, 12), st.integers(0, 11)), max_size=6)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        open_account()
        yield
        transaction.set_rollback(True)


def opening_of(rows: list[Row], first: int) -> str:
    return str(sum((Decimal(row.amount) for row in rows if row.day < first), Decimal(0)))


def part(rows: list[Row], first: int, last: int) -> bytes:
    inside = [row for row in rows if first <= row.day <= last]
    return statement(inside, opening=opening_of(rows, first))


def kept() -> list[tuple[date, Decimal, str, str]]:
    fields = ("booked_on", "amount", "description", "reference")
    return sorted(StatementLine.objects.values_list(*fields))


@given(rows=_ROWS, cuts=_CUTS, data=st.data())
@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
def test_any_cut_of_a_month_stores_the_same_movements(
    rows: list[Row], cuts: list[tuple[int, int]], data: st.DataObject
) -> None:
    rows = sorted(rows, key=lambda row: row.day)
    with undone():
        give(part(rows, 1, 12), name="whole.csv")
        whole, balance = kept(), books("bank:main:COPM")
    with undone():
        files = [(first, min(12, first + length)) for first, length in cuts]
        for first, last in data.draw(st.permutations(files)):
            give_if_allowed(rows, first, last)
        begun = StatementFile.objects.order_by("first_day").first()
        start = begun.first_day.day if begun else 1
        # What was refused for its order comes again in the order of days.
        for first, last in ((start, start + 4), (start + 3, start + 8), (start + 7, 12)):
            give_if_allowed(rows, first, last)
        assert kept() == [line for line in whole if not begun or line[0] >= begun.first_day]
        assert books("bank:main:COPM") == balance
        assert ledger.verify().ok


def give_if_allowed(rows: list[Row], first: int, last: int) -> None:
    name = f"{first}-{last}.csv"
    if any(first <= row.day <= last for row in rows):
        try:
            give(part(rows, first, last), name=name)
        except FileRefused:
            assert not StatementFile.objects.filter(name=name).exists()
