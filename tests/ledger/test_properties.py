"""Whatever happens in whatever order, the books add up."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Sum
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from payments.core import money
from payments.ledger import recipes, services
from payments.ledger.models import Account, Posting
from tests.ledger.books import NOW, deposit, settle, unmatched
from tests.support.factories import MerchantFactory

CURRENCIES = ["COP", "USDT", "USDC", "BTC", "ETH"]
PARTS = st.decimals(min_value=0, max_value=10**12, allow_nan=False, places=8)


def amounts(draw: Any, currency: str, count: int) -> list[Decimal]:
    """Amounts that the currency has."""
    return [money.quantize(draw(PARTS), currency) for _ in range(count)]


@st.composite
def movements(draw: Any) -> tuple[str, dict[str, Any]]:
    """A recipe's name and its arguments, merchant by number. Facts repeat: `fact` is small."""
    currency = draw(st.sampled_from(CURRENCIES))
    fact = draw(st.integers(0, 12))
    base, fee, before, excess, spent = amounts(draw, currency, 5)
    received = base + fee + excess
    before = min(before, received)
    values: dict[str, Any] = {"merchant": draw(st.integers(0, 1)), "currency": currency}
    order = {
        "order_id": f"col_{fact}",
        "charge_id": f"chg_{fact}",
        "rail": "CRYPTO",
        "account": "simulator",
    }
    name = draw(
        st.sampled_from(
            ["collect_settled", "deposit_received", "unmatched_received", "sandbox", "spend"]
        )
    )
    if name == "collect_settled":
        values |= order | {
            "base": base,
            "fee": fee,
            "excess": excess,
            "received_before": before,
            "received_now": received - before,
        }
        coin = draw(st.sampled_from(["", "BTC", "ETH"]))
        if coin and coin != currency:
            [coins] = amounts(draw, coin, 1)
            values["conversion"] = recipes.Conversion(currency=coin, amount=coins, rate=Decimal(2))
    elif name in ("deposit_received", "unmatched_received"):
        values |= order | {"amount": base, "idempotency_key": str(fact)}
    else:
        values |= {"amount": spent, "reference": str(fact)}
    return name, values


def spend(*, merchant_id: str, currency: str, amount: Decimal, reference: str, now: Any) -> None:
    """A debit, which this slice has no recipe for yet."""
    books = money.balance_currency(currency)
    services.post(
        kind="test",
        subject_id="po_1",
        idempotency_key=reference,
        lines=[
            services.PostingLine(services.available(merchant_id, books), -amount),
            services.PostingLine(services.held(merchant_id, books), amount),
        ],
        now=now,
    )


RECIPES = {
    "collect_settled": settle,
    "deposit_received": deposit,
    "unmatched_received": unmatched,
    "sandbox": recipes.sandbox_credited,
    "spend": spend,
}


class BooksAddUp(TestCase):
    """One transaction for each example."""

    @settings(max_examples=30)
    @given(st.lists(movements(), max_size=25))
    def test_ledger_adds_up_after_any_sequence_of_movements(self, sequence: list[Any]) -> None:
        merchants = [MerchantFactory().pk, MerchantFactory().pk]
        expected: dict[str, Decimal] = defaultdict(Decimal)
        for name, values in sequence:
            owner = merchants[values["merchant"]]
            given = {name: value for name, value in values.items() if name != "merchant"}
            try:
                RECIPES[name](merchant_id=owner, **given, now=NOW)
            except (services.AlreadyPosted, services.InsufficientBalance):
                continue
            except ValueError:
                amounts_given = [v for v in values.values() if isinstance(v, Decimal)]
                assert not any(amounts_given), "only a movement of nothing is refused"
                continue
            if name in ("collect_settled", "sandbox"):
                expected[owner] += values["base" if name == "collect_settled" else "amount"]

        connection.check_constraints()
        assert services.verify().problems == []
        assert not Account.objects.filter(balance__lt=0).exists()
        sums = Posting.objects.values("currency").annotate(total=Sum("amount"))
        assert all(row["total"] == 0 for row in sums)
        for owner in merchants:
            held = services.balances(owner).values()
            assert sum(sum(each.values()) for each in held) == expected[owner]
