"""Shorthand of the ledger's tests: amounts, what an entry says, what verify_ledger does."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.core.management import call_command

from payments.ledger import recipes, services
from payments.ledger.models import Account, Entry
from tests.support.database import triggers_asleep

NOW = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)


def settle(*, now: datetime, **values: Any) -> Entry:
    """An order is paid."""
    return recipes.collect_settled(recipes.SettledOrder(**values), now=now)


def deposit(*, now: datetime, **values: Any) -> Entry:
    """Part of an order's amount arrives."""
    return recipes.deposit_received(recipes.ReceivedFunds(**values), now=now)


def unmatched(*, now: datetime, **values: Any) -> Entry:
    """Money arrives that no order takes."""
    return recipes.unmatched_received(recipes.ReceivedFunds(**values), now=now)


def peso(amount: int | str) -> Decimal:
    """Exact pesos (or coins)."""
    return Decimal(amount)


def lines_of(entry: Entry, merchant_id: str = "") -> list[tuple[str, Decimal]]:
    """[(account code, amount)] in the order of posting; the merchant's id reads `me`."""
    rows = entry.postings.order_by("id").values_list("account__code", "amount")
    return [
        (code.replace(merchant_id, "me") if merchant_id else code, amount) for code, amount in rows
    ]


def balance(merchant_id: str, currency: str = "COPM") -> Decimal:
    """What the merchant may spend."""
    return services.balances(merchant_id)[currency]["available"]


def total(code: str) -> Decimal:
    """The balance of a system account, which is the sum of its postings."""
    account = Account.objects.get(code=code)
    return sum(account.postings.values_list("amount", flat=True), Decimal(0))


def tamper(sql: str, *params: object) -> None:
    """As somebody who can switch triggers off would."""
    with triggers_asleep() as cursor:
        cursor.execute(sql, params)


def verify_ledger(capsys: Any) -> tuple[int, dict[str, Any]]:
    """(exit code, the line it printed)."""
    status = 0
    try:
        call_command("verify_ledger")
    except SystemExit as ended:
        status = int(ended.code or 0)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    return status, json.loads(lines[0])
