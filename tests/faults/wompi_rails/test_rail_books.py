"""Each difference between the books of Wompi's fakes and ours is named."""

from decimal import Decimal
from typing import Any

import pytest

from tests.faults.wompi_rails.rail_books import KEY_USED_UP, Verdict, compare_payouts, compare_sales

INITIAL = 1_000_000


def sales(*wires: tuple[str, str, int], **changes: Any) -> Verdict:
    """Of one charge chg_1 of 500 COP that we believe to be paid."""
    rows = {
        str(number): {"wire": {"reference": ref, "status": status, "amount_in_cents": cents}}
        for number, (ref, status, cents) in enumerate(wires)
    }
    ours = {"order": "COMPLETED", "charge": "SUCCEEDED", "received": Decimal(500), **changes}
    charge = ("chg_1", "ord_1", ours["order"], ours["charge"], ours["received"])
    return compare_sales([{"transaction": rows}], [charge])


def payouts(*wires: tuple[str, str, int], left: int = 50_000, **changes: Any) -> Verdict:
    """Of one payout of 500 COP that we believe to be paid."""
    rows = {
        str(number): {"wire": {"reference": ref, "status": status, "amountInCents": cents}}
        for number, (ref, status, cents) in enumerate(wires)
    }
    state = {
        "payout_transaction": rows,
        "idempotency_key": changes.pop("keys", {}),
        "settings": {"balance_in_cents": INITIAL},
        "balance_in_cents": INITIAL - left,
    }
    status = changes.pop("status", "COMPLETED")
    return compare_payouts(state, [("pay_1", status, Decimal(500))])


PAID = ("chg_1", "APPROVED", 50_000)
SENT = ("pay-1", "APPROVED", 50_000)


def test_books_that_agree_are_clean() -> None:
    assert (sales(PAID).is_clean, sales(PAID).paid) == (True, 1)
    assert (payouts(SENT).is_clean, payouts(SENT).paid) == (True, 1)


@pytest.mark.parametrize(
    ("verdict", "named"),
    [
        (sales(PAID, PAID), "chg_1: 2 transactions"),
        (sales(PAID, PAID), "ord_1: paid 2 times"),
        (payouts(SENT, SENT, left=100_000), "pay_1: 2 transactions"),
        (payouts(SENT, ("pay-1", "FAILED", 50_000)), "pay_1: 2 transactions"),
    ],
)
def test_what_was_made_twice_is_doubled(verdict: Verdict, named: str) -> None:
    assert named in verdict.doubled


@pytest.mark.parametrize(
    ("verdict", "named"),
    [
        (sales(("chg_1", "APPROVED", 50_001)), "chg_1: 50001 cents there, 500 COP here"),
        (sales(("chg_1", "DECLINED", 50_000)), "chg_1: 0 cents there, 500 COP here"),
        (sales(PAID, order="EXPIRED"), "ord_1: EXPIRED, paid 1 times"),
        (sales(order="PENDING", charge="STARTING", received=Decimal(0)), "chg_1: STARTING"),
        (sales(PAID, ("chg_2", "APPROVED", 1)), "chg_2: not one of our charges"),
        (payouts(("pay-1", "APPROVED", 49_999), left=49_999), "pay_1: COMPLETED 500 COP, [49999]"),
        (payouts(("pay-1", "FAILED", 50_000), left=0), "pay_1: COMPLETED 500 COP, []"),
        (payouts(SENT, status="FAILED"), "pay_1: FAILED 500 COP, [50000]"),
        (payouts(("pay-1", "PENDING", 50_000), left=0, status="PROCESSING"), "pay_1: open"),
        (payouts(left=0, status="PENDING"), "pay_1: open"),
        (payouts(SENT, left=50_001), "50001 cents left the account there, 500 COP here"),
        (payouts(SENT, ("pay-2", "APPROVED", 1)), "pay-2: not one of our payouts"),
    ],
)
def test_each_end_and_amount_that_the_rail_denies_is_wrong(verdict: Verdict, named: str) -> None:
    assert any(one.startswith(named) for one in verdict.wrong), verdict.wrong


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (
            sales(("chg_1", "DECLINED", 50_000), charge="FAILED", order="PENDING", received=0),
            "declined by the rail",
        ),
        (sales(charge="ABANDONED", order="PENDING", received=0), "unknown to the rail"),
        (
            sales(("chg_1", "PENDING", 50_000), charge="PENDING", order="PROCESSING", received=0),
            "the payer has not decided at the bank",
        ),
        (payouts(left=0, status="FAILED"), "refused by the rail"),
        (payouts(("pay-1", "FAILED", 50_000), left=0, status="FAILED"), "failed at the rail"),
        (
            payouts(left=0, status="PROCESSING", keys={"pay-1": 1}),
            KEY_USED_UP,
        ),
    ],
)
def test_payment_without_money_has_a_reason(verdict: Verdict, reason: str) -> None:
    assert verdict.is_clean, (verdict.wrong, verdict.doubled)
    assert verdict.explained == {reason: 1}
