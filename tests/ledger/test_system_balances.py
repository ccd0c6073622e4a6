"""Balances of our own accounts: exact while payments arrive, whatever was added to the totals."""

import threading
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction

from merchants.models import Merchant
from payments.core.days import BOGOTA
from payments.ledger import services
from payments.ledger.models import Account, AccountDay, Entry, TotalsCursor
from payments.ledger.services import day_totals, system_balances
from payments.ledger.services.system_balances import DayStatement, Movement
from tests.ledger.books import peso, tamper, total, verify_ledger

MONDAY, TUESDAY, WEDNESDAY = date(2026, 3, 2), date(2026, 3, 3), date(2026, 3, 4)
FEES = services.fees("COPM")
EQUITY = services.equity("COPM")
_facts = iter(range(1_000_000))


def post(amount: int | str, day: date = MONDAY, hour: int = 12, minute: int = 0) -> Entry:
    """Moves the amount from equity to the fees."""
    with transaction.atomic():
        return services.post(
            kind=Entry.Kind.SETTLEMENT_TAXED,
            subject_id="x",
            idempotency_key=str(next(_facts)),
            lines=services.transfer(EQUITY, FEES, peso(amount)),
            now=datetime(day.year, day.month, day.day, hour, minute, tzinfo=BOGOTA),
        )


def movement(debits: int | str, credits: int | str, postings: int) -> Movement:
    return Movement(debits=peso(debits), credits=peso(credits), postings=postings)


@pytest.fixture(params=["before the totals", "after the totals", "between"])
def three_days(request: Any, db: None) -> None:
    """1,000 and -200 on Monday, nothing on Tuesday, 30 on Wednesday."""
    post(1000)
    post(-200)
    if request.param == "between":
        assert day_totals.add_postings()
    post(30, WEDNESDAY)
    if request.param == "after the totals":
        assert day_totals.add_postings()


@pytest.mark.usefixtures("three_days")
class TestBalances:
    def test_balance_is_the_sum_of_the_postings(self) -> None:
        assert system_balances.balance(FEES) == total("fees:COPM") == 830
        assert system_balances.balance(EQUITY) == -830

    def test_balance_of_a_day_is_that_of_its_end(self) -> None:
        days = (MONDAY - timedelta(1), MONDAY, TUESDAY, WEDNESDAY)
        found = [system_balances.balance_at(FEES, day) for day in days]
        assert found == [0, 800, 800, 830]

    def test_a_day_says_what_moved(self) -> None:
        assert system_balances.movement_of(FEES, MONDAY) == movement(200, 1000, 2)
        assert system_balances.movement_of(EQUITY, MONDAY) == movement(1000, 200, 2)
        assert system_balances.movement_of(FEES, TUESDAY) == movement(0, 0, 0)

    def test_each_day_follows_from_the_one_before(self) -> None:
        account = Account.objects.get(code=FEES.code)
        monday = DayStatement(day=MONDAY, opening=peso(0), movement=movement(200, 1000, 2))
        wednesday = DayStatement(day=WEDNESDAY, opening=peso(800), movement=movement(0, 30, 1))
        assert system_balances.days_of(account, MONDAY, WEDNESDAY) == [monday, wednesday]
        assert system_balances.days_of(account, TUESDAY, WEDNESDAY) == [wednesday]
        assert wednesday.closing == 830

    def test_all_balances_are_two_queries(self, django_assert_num_queries: Any) -> None:
        ids = dict(Account.objects.values_list("code", "pk"))
        with django_assert_num_queries(2):
            found = system_balances.balances_of(ids.values())
        assert found == {ids["fees:COPM"]: 830, ids["equity:COPM"]: -830}

    def test_books_are_sound(self, capsys: Any) -> None:
        assert verify_ledger(capsys)[0] == 0


@pytest.mark.django_db
def test_account_without_postings_has_nothing() -> None:
    assert system_balances.balance(FEES) == 0
    assert system_balances.movement_of(FEES, MONDAY) == Movement()
    assert day_totals.add_postings() == 0


@pytest.mark.django_db
def test_balance_of_a_merchant_is_not_added_up(merchant: Merchant) -> None:
    with pytest.raises(ValueError, match="stores its balance"):
        system_balances.balance(services.available(merchant.pk, "COPM"))


@pytest.mark.django_db
def test_a_day_is_one_of_bogota() -> None:
    post(1, MONDAY, 23, 59)
    post(10, TUESDAY, 0, 0)
    day_totals.add_postings()
    assert [system_balances.balance_at(FEES, day) for day in (MONDAY, TUESDAY)] == [1, 11]


@pytest.mark.django_db
def test_postings_are_added_once_however_often(monkeypatch: Any) -> None:
    monkeypatch.setattr(day_totals, "BATCH", 3)
    for amount in (1, 2, 3, 4):
        post(amount)
    assert day_totals.add_postings() > 0
    assert day_totals.add_postings() == 0
    post(5)
    day_totals.add_postings()
    assert AccountDay.objects.get(account__code=FEES.code).credits == 15
    assert system_balances.balance(FEES) == 15


@pytest.mark.django_db(transaction=True)
def test_totals_do_not_wait_for_a_vacuum_of_the_postings(monkeypatch: Any) -> None:
    """It holds the table for hours in a mode of its own, and writes no posting."""
    monkeypatch.setattr(day_totals, "WAIT_SECONDS", 0.2)
    post(1)
    held, done = threading.Event(), threading.Event()

    def vacuum() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK TABLE ledger_posting IN SHARE UPDATE EXCLUSIVE MODE")
                held.set()
                assert done.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=vacuum)
    thread.start()
    assert held.wait(30)
    added = day_totals.add_postings()
    done.set()
    thread.join()
    assert added > 0


@pytest.mark.django_db(transaction=True)
def test_a_posting_that_is_committed_late_is_not_left_out(monkeypatch: Any) -> None:
    """Its id is smaller than one that is visible."""
    monkeypatch.setattr(day_totals, "WAIT_SECONDS", 0.2)
    post(1)
    written, done = threading.Event(), threading.Event()

    def late() -> None:
        try:
            with transaction.atomic():
                post(10)
                written.set()
                assert done.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    assert written.wait(30)
    post(100)
    assert day_totals.add_postings() == 0, "one with a smaller id may still come"
    assert system_balances.balance(FEES) == 101
    done.set()
    thread.join()
    assert day_totals.add_postings() > 0
    assert system_balances.balance(FEES) == 111
    assert AccountDay.objects.get(account__code=FEES.code).credits == 111


@pytest.mark.django_db(transaction=True)
def test_readers_and_the_totals_of_other_tables_hold_nothing_up() -> None:
    post(1)
    with transaction.atomic():
        assert Account.objects.count() == 2
        assert total("fees:COPM") == 1
        thread_says: list[int] = []

        def add() -> None:
            thread_says.append(day_totals.add_postings())
            connection.close()

        thread = threading.Thread(target=add)
        thread.start()
        thread.join()
    assert thread_says[0] > 0


@pytest.mark.django_db
def test_totals_that_are_added_during_a_reading_count_once(monkeypatch: Any) -> None:
    post(1000)
    plain, moved = connection.cursor, []

    class Cursor:
        """Adds the totals between the two queries of the reader."""

        def __init__(self) -> None:
            self.real = plain()

        def __enter__(self) -> "Cursor":
            return self

        def __exit__(self, *error: object) -> None:
            self.real.close()

        def execute(self, sql: str, *params: object) -> None:
            if not moved and "ledger_accountday" in sql:
                moved.append(True)
                day_totals.add_postings()
            self.real.execute(sql, *params)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.real, name)

    monkeypatch.setattr(system_balances, "connection", type("C", (), {"cursor": Cursor}))
    assert system_balances.balance(FEES) == 1000
    assert moved
    assert TotalsCursor.objects.get().posting_id > 0


@pytest.mark.django_db
def test_a_changed_total_is_named(capsys: Any) -> None:
    post(1000)
    day_totals.add_postings()
    tamper(
        "UPDATE ledger_accountday SET credits = credits + 1 FROM ledger_account AS account"
        " WHERE account.id = account_id AND code = 'equity:COPM'"
    )
    status, said = verify_ledger(capsys)
    assert status == 1
    assert said["problems"] == [
        {
            "problem": "day_total_is_wrong",
            "account": "equity:COPM",
            "expected": "-1000",
            "found": "-999",
        }
    ]
    AccountDay.objects.all().delete()
    problems = verify_ledger(capsys)[1]["problems"]
    gone = [row for row in problems if row["problem"] == "day_total_is_wrong"]
    assert {row["found"] for row in gone} == {"0"}
    assert isinstance(system_balances.balance(FEES), Decimal)
