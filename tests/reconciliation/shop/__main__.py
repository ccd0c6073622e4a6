"""Write a month to a directory: the plan, the truth, and the files of all formats.

python -m tests.reconciliation.shop --seed 7 --out /tmp/month [--orders 2000]
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.reconciliation.shop.deliveries import WRITERS, deliveries
from tests.reconciliation.shop.lines import booked
from tests.reconciliation.shop.month import make_month
from tests.reconciliation.shop.plan import Names
from tests.reconciliation.shop.writers.period import Account

ACCOUNT = Account("12345678901")


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.reconciliation.shop", description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--orders", type=int, default=2_000)
    chosen = parser.parse_args()
    month = make_month(chosen.seed, chosen.orders)
    lines = booked(month, Names.invented(month))
    _write(chosen.out / "plan.json", asdict(month))
    _write(chosen.out / "truth.json", [asdict(line) for line in lines])
    for format in WRITERS:
        arrived = deliveries(month, format)
        for delivery in arrived:
            data = delivery.data(month, lines, ACCOUNT)
            _write_bytes(chosen.out / format / delivery.name, data)
        print(f"{format}: {len(arrived)} files")
    print(f"{month.first_day:%B %Y}: {len(month.orders)} orders, {len(lines)} movements")


def _write(path: Path, value: Any) -> None:
    _write_bytes(path, json.dumps(value, default=str, ensure_ascii=False, indent=1).encode())


def _write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    main()
