"""The books of Wompi's fakes against ours, to the cent. Each difference is named.

It reads what a fake shows at `/_control/state` and the rows that SALES and PAYOUTS select.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.support.measurements import listed

Json = dict[str, Any]
# (charge, order, status of the order, status of the charge, received)
SALES = """
SELECT c.id, o.id, o.status, c.status, c.received
FROM collect_charge c JOIN collect_order o ON o.id = c.order_id WHERE c.provider = ANY(%s)
"""
# (reference, status, amount)
PAYOUTS = "SELECT provider_reference, status, amount FROM payout_payout WHERE provider = ANY(%s)"
KEY_USED_UP = "its key is used up there without a payout: an operator decides"
CLOSED_CHARGES = {"FAILED": "declined by the rail", "ABANDONED": "unknown to the rail"}


@dataclass(slots=True)
class Verdict:
    """
    paid       how many payments the rail has executed.
    doubled    made or paid more than once.
    wrong      a status or an amount that the rail denies.
    explained  payments without money, by the reason.
    """

    paid: int = 0
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    explained: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"{self.paid:,} paid at the rail, {len(self.doubled)} doubled, {len(self.wrong)} wrong;"
            f" without money: {listed(self.explained) or 'none'}"
        )

    @property
    def is_clean(self) -> bool:
        return not self.doubled and not self.wrong


def compare_sales(states: Iterable[Json], sales: Iterable[tuple[Any, ...]]) -> Verdict:
    """Of the fakes of collections. One order may have several charges, and is paid once."""
    verdict = Verdict()
    found: dict[str, list[Json]] = defaultdict(list)
    for state in states:
        for row in state["transaction"].values():
            found[row["wire"]["reference"]].append(row["wire"])
    paid_orders: Counter[str] = Counter()
    statuses: dict[str, str] = {}
    for charge, order, order_status, status, received in sales:
        wires = found.pop(charge, [])
        approved = [wire["amount_in_cents"] for wire in wires if wire["status"] == "APPROVED"]
        verdict.paid += len(approved)
        paid_orders[order] += len(approved)
        statuses[order] = order_status
        if len(wires) > 1:
            verdict.doubled.append(f"{charge}: {len(wires)} transactions")
        if sum(approved) != received * 100:
            verdict.wrong.append(f"{charge}: {sum(approved)} cents there, {received} COP here")
        if not approved:
            _explain_sale(verdict, charge, status, wires)
    for order, times in paid_orders.items():
        if times > 1:
            verdict.doubled.append(f"{order}: paid {times} times")
        if (statuses[order] == "COMPLETED") != bool(times):
            verdict.wrong.append(f"{order}: {statuses[order]}, paid {times} times")
    verdict.wrong += [f"{reference}: not one of our charges" for reference in found]
    return verdict


def _explain_sale(verdict: Verdict, charge: str, status: str, wires: list[Json]) -> None:
    if reason := CLOSED_CHARGES.get(status):
        verdict.explained[reason] += 1
    elif status == "PENDING" and any(wire["status"] == "PENDING" for wire in wires):
        verdict.explained["the payer has not decided at the bank"] += 1
    else:
        verdict.wrong.append(f"{charge}: {status}, and the rail has {wires}")


def compare_payouts(state: Json, payouts: Iterable[tuple[Any, ...]]) -> Verdict:
    """Of the fake of payouts. The money that left its account is the sum of ours, to the cent."""
    verdict = Verdict()
    found: dict[str, list[Json]] = defaultdict(list)
    for row in state["payout_transaction"].values():
        found[row["wire"]["reference"]].append(row["wire"])
    completed = Decimal(0)
    for reference, status, amount in payouts:
        wire_reference = reference.replace("_", "-")
        wires = found.pop(wire_reference, [])
        approved = [wire["amountInCents"] for wire in wires if wire["status"] == "APPROVED"]
        verdict.paid += len(approved)
        completed += amount if status == "COMPLETED" else 0
        if len(wires) > 1:
            verdict.doubled.append(f"{reference}: {len(wires)} transactions")
        if sum(approved) != (amount * 100 if status == "COMPLETED" else 0):
            verdict.wrong.append(f"{reference}: {status} {amount} COP, {approved} cents there")
        elif status == "FAILED":
            verdict.explained["failed at the rail" if wires else "refused by the rail"] += 1
        elif status != "COMPLETED":
            _explain_open(verdict, state, reference, wires)
    verdict.wrong += [f"{reference}: not one of our payouts" for reference in found]
    left = state["settings"]["balance_in_cents"] - state["balance_in_cents"]
    if left != completed * 100:
        verdict.wrong.append(f"{left} cents left the account there, {completed} COP here")
    return verdict


def _explain_open(verdict: Verdict, state: Json, reference: str, wires: list[Json]) -> None:
    if is_unpayable(state, reference):
        verdict.explained[KEY_USED_UP] += 1
    else:
        verdict.wrong.append(f"{reference}: open, and the rail has {wires}")


def is_unpayable(state: Json, reference: str) -> bool:
    """The rail refused it, or was killed, after it had taken the key: it knows no payout, and takes
    none with this key.
    """
    wire_reference = reference.replace("_", "-")
    lines = state["payout_transaction"].values()
    is_known = any(row["wire"]["reference"] == wire_reference for row in lines)
    return wire_reference in state["idempotency_key"] and not is_known
