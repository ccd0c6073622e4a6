"""POST /payout on one balance, which every request locks, against the same on 1,000 balances."""

from benchmarks import messages
from benchmarks.endpoints import API
from benchmarks.machine import Machine
from benchmarks.messages import credentials
from benchmarks.report import Part, Table, at_least, milliseconds, number, times
from benchmarks.rounds import Endpoint, Figures, Size, alternate, ratio

ONE, MANY = "1 balance", "1,000 balances"
TARGET = 0.9


def measure(machine: Machine, size: Size) -> Part:
    """The same requests; only whose they are differs."""
    keys = machine.merchants()
    requests = [
        messages.request(
            "POST",
            f"{API}/payout",
            {**credentials(own), "Idempotency-Key": f"nomina-{messages.NUMBER}"},
            messages.payout_body(),
        )
        for own in keys
    ]
    with machine.payouts_unsent():
        one = Endpoint(machine.address, requests[0], machine.web)
        many = Endpoint(machine.address, messages.in_turn(requests), machine.web)
        # The first payout of a merchant makes its accounts: no part of the comparison.
        answers = 0
        while answers < len(requests):
            answers += len(many.round(1).latencies)
        found = alternate({ONE: one.round, MANY: many.round}, size)
    return _part(found)


def _part(found: dict[str, Figures]) -> Part:
    rows = [
        [
            name,
            number(figures.rate),
            milliseconds(figures.percentile(0.5)),
            milliseconds(figures.percentile(0.99)),
            times(figures.spread),
            number(figures.answers),
        ]
        for name, figures in found.items()
    ]
    target = at_least(ratio(found[ONE], found[MANY]), TARGET)
    return Part(
        name="payouts",
        title="Payouts from one balance",
        method=(
            "8 clients send payouts of one merchant, or of 1,000 merchants in turn. Every payout "
            "locks its balance until the commit. The worker that sends them is stopped."
        ),
        tables=[
            Table(["POST /payout on", "per s", "p50", "p99", "p99/p50", "answers"], rows),
            Table(["Subject", "Figure", "Target", "Verdict"], [[f"{ONE} against {MANY}", *target]]),
        ],
    )
