"""The books keep themselves true: what the service refuses, and what PostgreSQL refuses."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import Error, IntegrityError, connection, transaction

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services import PostingLine
from tests.ledger.books import NOW, balance, peso
from tests.support.measurements import record

pytestmark = pytest.mark.django_db

Credit = Callable[..., Entry]


@pytest.fixture
def credit(merchant: Merchant) -> Credit:
    """Puts play money on Café Andino's balance."""

    def put(amount: int) -> Entry:
        entry = recipes.sandbox_credited(
            merchant_id=merchant.pk, currency="COP", amount=peso(amount), reference="demo", now=NOW
        )
        connection.check_constraints()  # as the commit would
        return entry

    return put


def spend(merchant: Merchant, amount: int | str, idempotency_key: str = "1") -> Entry:
    """Takes from the available balance, as a payout will."""
    return services.post(
        kind="test",
        subject_id="po_1",
        idempotency_key=idempotency_key,
        lines=[
            PostingLine(services.available(merchant.pk, "COPM"), -peso(amount)),
            PostingLine(services.clearing("TEST", "COPM"), peso(amount)),
        ],
        now=NOW,
    )


def execute(sql: str, *params: object) -> None:
    """Goes around the service, and on to what is checked at commit."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_a_merchant_without_movements_has_no_balances(merchant: Merchant) -> None:
    assert services.balances(merchant.pk) == {}


def test_balances_name_each_currency(merchant: Merchant, credit: Credit) -> None:
    credit(1000)
    services.post(
        kind="test",
        subject_id="po_1",
        idempotency_key="1",
        lines=[
            PostingLine(services.available(merchant.pk, "COPM"), peso(-300)),
            PostingLine(services.held(merchant.pk, "COPM"), peso(300)),
            PostingLine(services.held(merchant.pk, "USDT"), peso("0.000001")),
            PostingLine(services.sandbox("USDT"), peso("-0.000001")),
        ],
        now=NOW,
    )

    assert services.balances(merchant.pk) == {
        "COPM": {"available": 700, "held": 300},
        "USDT": {"available": 0, "held": Decimal("0.000001")},
    }


def test_a_debit_beyond_the_balance_writes_nothing(merchant: Merchant, credit: Credit) -> None:
    credit(1000)

    with pytest.raises(services.InsufficientBalance) as raised:
        spend(merchant, 1001)

    assert (raised.value.status, raised.value.code) == (400, "INSUFFICIENT_BALANCE")
    assert raised.value.details == {"required": 1001, "available": 1000}
    assert balance(merchant.pk) == 1000
    assert Entry.objects.count() == 1
    spend(merchant, 1000)
    assert balance(merchant.pk) == 0, "the refusal burnt neither the key nor the transaction"


def test_a_held_account_below_zero_is_our_mistake(merchant: Merchant) -> None:
    with pytest.raises(services.HoldUnderflow):
        services.post(
            kind="test",
            subject_id="po_1",
            idempotency_key="1",
            lines=[
                PostingLine(services.held(merchant.pk, "COPM"), peso(-1)),
                PostingLine(services.fees("COPM"), peso(1)),
            ],
            now=NOW,
        )


def test_one_account_may_appear_twice_in_an_entry(merchant: Merchant, credit: Credit) -> None:
    credit(100)
    entry = services.post(
        kind="test",
        subject_id="po_1",
        idempotency_key="1",
        lines=[
            PostingLine(services.available(merchant.pk, "COPM"), peso(-90)),
            PostingLine(services.fees("COPM"), peso(60)),
            PostingLine(services.available(merchant.pk, "COPM"), peso(30)),
        ],
        now=NOW,
    )

    after = entry.postings.order_by("id").values_list("balance_after", flat=True)
    assert list(after) == [10, None, 40]
    assert services.verify().problems == []


@pytest.mark.parametrize(
    ("currency", "amount"),
    [("COPM", "0.001"), ("COP", "1.005"), ("USDT", "0.0000001"), ("BTC", "1E-9"), ("COPM", "NaN")],
)
def test_an_amount_the_currency_does_not_have_is_refused(currency: str, amount: str) -> None:
    with pytest.raises(ValueError, match="decimals"):
        services.post(
            kind="test",
            subject_id="po_1",
            idempotency_key="1",
            lines=[
                PostingLine(services.fees(currency), Decimal(amount)),
                PostingLine(services.suspense(currency), -Decimal(amount)),
            ],
            now=NOW,
        )


def test_currencies_do_not_make_up_for_each_other(merchant: Merchant) -> None:
    with pytest.raises(ValueError, match="does not balance"):
        services.post(
            kind="test",
            subject_id="po_1",
            idempotency_key="1",
            lines=[
                PostingLine(services.fees("USDT"), peso(1)),
                PostingLine(services.fees("USDC"), peso(-1)),
            ],
            now=NOW,
        )


def test_an_entry_needs_lines(merchant: Merchant) -> None:
    with pytest.raises(ValueError, match="does not balance"):
        services.post(kind="test", subject_id="po_1", idempotency_key="1", lines=[], now=NOW)


@pytest.mark.django_db(transaction=True)
def test_posting_needs_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="inside a transaction"):
        services.post(kind="test", subject_id="po_1", idempotency_key="1", lines=[], now=NOW)


@pytest.mark.django_db(transaction=True)
def test_an_unbalanced_entry_is_refused_at_commit(merchant: Merchant, credit: Credit) -> None:
    with transaction.atomic():
        entry = credit(1000)
    account = Account.objects.get(code="sandbox:COPM")

    refused = pytest.raises(IntegrityError, match=f"entry {entry.pk} does not balance")
    with refused, transaction.atomic():
        Posting.objects.create(
            entry=entry,
            account=account,
            currency="COPM",
            amount=1,
            kind=entry.kind,
            created_at=NOW,
        )
        assert Posting.objects.count() == 3, "the refusal comes with the commit"

    assert Posting.objects.count() == 2


def test_postings_of_two_currencies_do_not_balance_each_other(credit: Credit) -> None:
    entry = credit(1000)
    sandbox = Account.objects.get(code="sandbox:COPM")

    with pytest.raises(IntegrityError, match="does not balance"):
        execute(
            "INSERT INTO ledger_posting (entry_id, account_id, currency, amount, kind, created_at)"
            " VALUES (%s, %s, 'USDT', 1, '', now()), (%s, %s, 'USDC', -1, '', now())",
            *(entry.pk, sandbox.pk) * 2,
        )


@pytest.mark.faults("F16")
@pytest.mark.parametrize("table", ["ledger_posting", "ledger_entry"])
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE {} SET id = id",
        "UPDATE ledger_posting SET amount = amount + 1",
        "DELETE FROM {}",
        "TRUNCATE {} CASCADE",
        "TRUNCATE ledger_account, ledger_entry, ledger_posting, ledger_postingtally, "
        "ledger_accountday",
    ],
)
def test_books_are_append_only(table: str, sql: str, credit: Credit) -> None:
    credit(1000)

    with pytest.raises(Error, match=r"Cannot (update or delete|truncate)"):
        execute(sql.format(table))

    record(statements_refused=1)
    assert (Entry.objects.count(), Posting.objects.count()) == (1, 2)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE ledger_account SET balance = balance + 1 WHERE balance > 0", "its postings say"),
        ("UPDATE ledger_account SET balance = -1 WHERE balance > 0", "account_not_overdrawn"),
        ("UPDATE ledger_account SET balance = NULL WHERE balance > 0", "of_merchants_only"),
        ("UPDATE ledger_account SET balance = 0 WHERE balance IS NULL", "of_merchants_only"),
        ("UPDATE ledger_account SET code = code || 'x'", "Cannot update"),
        ("UPDATE ledger_account SET currency = 'USDT'", "Cannot update"),
        ("DELETE FROM ledger_account", "Cannot delete"),
        ("TRUNCATE ledger_account CASCADE", "Cannot truncate"),
        (
            "INSERT INTO ledger_account (code, kind, currency, merchant_id, balance)"
            " SELECT 'held:x', 'held', 'COPM', merchant_id, 1"
            " FROM ledger_account WHERE balance > 0",
            "its postings say",
        ),
    ],
)
def test_a_balance_changes_only_with_postings(sql: str, says: str, credit: Credit) -> None:
    credit(1000)

    with pytest.raises(Error, match=says):
        execute(sql)
