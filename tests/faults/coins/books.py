"""What the service has booked for each address, against what the chains' own blocks say."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

import psycopg

from tests.chains import chain_totals
from tests.faults.coins.killable_nodes import DECIMALS, KillableAnvil, KillableBcoin

BOOKED = """
SELECT a.address, c.currency, c.received, o.id, o.status,
    (SELECT count(*) FROM ledger_entry e WHERE e.kind = 'collect_settled' AND e.subject_id = o.id)
FROM chains_coinaddress a
JOIN collect_charge c ON c.id = a.reference
JOIN collect_order o ON o.id = c.order_id
WHERE o.merchant_id = %s
"""
STRANGE = """
SELECT (SELECT count(*) FROM chains_deposit WHERE contradicted_at IS NOT NULL),
    (SELECT count(*) FROM chains_deposit WHERE status NOT IN ('FINAL', 'GONE'))
"""


@dataclass(frozen=True)
class Payment:
    """`units` is all that the payer sent."""

    order: str
    currency: str
    address: str
    units: int


@dataclass
class Verdict:
    credited_once: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    # The currency -> the smallest units that the chains' blocks brought to our addresses.
    units: Counter[str] = field(default_factory=Counter)


def compare(
    tables: psycopg.Connection,
    merchant_id: str,
    payments: Iterable[Payment],
    evm: KillableAnvil,
    bitcoin: KillableBcoin,
) -> Verdict:
    """Also addresses that were shown and not paid must agree."""
    chain = _on_chain(evm, bitcoin)
    paid = {one.address: one for one in payments}
    verdict = Verdict()
    for address, currency, received, order, status, settled in tables.execute(
        BOOKED, [merchant_id]
    ).fetchall():
        there = chain[_key(evm, currency, address)]
        here = int(received * Decimal(10) ** DECIMALS[currency])
        verdict.units[currency] += there
        payment = paid.pop(address, None)
        sent = payment.units if payment else 0
        if here < there or there < sent or (payment and status != "COMPLETED"):
            verdict.lost.append(f"{order} {status}: {sent} sent, {there} there, {here} here")
        elif here > there or there > sent or settled > 1:
            verdict.doubled.append(f"{order} {settled}: {sent} sent, {there} there, {here} here")
        elif payment and settled == 1:
            verdict.credited_once += 1
    verdict.lost += [f"{one.order}: no address {one.address}" for one in paid.values()]
    return verdict


def _on_chain(evm: KillableAnvil, bitcoin: KillableBcoin) -> chain_totals.Sums:
    return chain_totals.sum_evm(evm.node) + chain_totals.sum_bitcoin(bitcoin.node)


def _key(evm: KillableAnvil, currency: str, address: str) -> tuple[str, str]:
    if currency == "BTC":
        return chain_totals.script_of(address), ""
    token = evm.tokens.get(currency)
    return address.lower(), token.address.lower() if token else ""
