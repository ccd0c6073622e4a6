"""The clients' log against the tables, and the judge, as a process beside the service: python -m.

Standard input: {"merchantId", "orders": {key: data}, "payouts": {key: data}, "ends": {id: status},
"moved": [ids whose deadline the experiment moved]}. Prints what does not agree, by kind.
"""

import sys
from collections.abc import Iterator
from typing import Any

import django

Json = dict[str, Any]
# What time may change, whoever was told before.
MOVING = ("status", "providerPayoutId", "completedAt")


def main() -> None:
    django.setup()
    from payments.core import jsontext
    from tests.faults.judge import judge

    log = simple(sys.stdin.buffer.read())
    found = {
        "lost": [*_lost_orders(log), *_lost_payouts(log)],
        "doubled": _doubled(log),
        "wrongEnds": list(_wrong_ends(log)),
    }
    judge([log["merchantId"]], [] if found["lost"] else log["payouts"].values())
    print(jsontext.dumps(found))


def simple(text: bytes) -> Json:
    """As the API's clients read it: numbers with a point stay decimal."""
    from payments.core import jsontext

    parsed: Json = jsontext.loads(text)
    return parsed


def _lost_orders(log: Json) -> Iterator[str]:
    from payments.collect.api.orders import OrderCreated
    from payments.collect.models import Order

    rows = {row.idempotency_key: row for row in Order.objects.all()}
    for key, told in log["orders"].items():
        ignored = (*MOVING, *(["expiresAt"] if told["id"] in log["moved"] else []))
        if not _stands(told, rows.get(key), OrderCreated, ignored):
            yield key


def _lost_payouts(log: Json) -> Iterator[str]:
    from payments.payout.api import PayoutDetail
    from payments.payout.models import Payout

    rows = {row.idempotency_key: row for row in Payout.objects.all()}
    for key, told in log["payouts"].items():
        if not _stands(told, rows.get(key), PayoutDetail, MOVING):
            yield key


def _stands(told: Json, row: Any, serializer: Any, ignored: tuple[str, ...]) -> bool:
    from payments.core import jsontext

    if row is None:
        return False
    stored = simple(jsontext.dumps(serializer(row).data).encode())
    return all(told.get(name) == stored[name] for name in stored if name not in ignored)


def _doubled(log: Json) -> int:
    """Rows beyond one for each key that a client used."""
    from payments.collect.models import Order
    from payments.payout.models import Payout

    rows = Order.objects.count() + Payout.objects.count()
    return rows - len(log["orders"]) - len(log["payouts"])


def _wrong_ends(log: Json) -> Iterator[str]:
    from payments.payout.models import Payout

    ends = dict(Payout.objects.values_list("pk", "status"))
    for payout_id, expected in log["ends"].items():
        if ends.get(payout_id) != expected:
            yield f"{payout_id} {ends.get(payout_id)}"


if __name__ == "__main__":
    main()
