"""Merchants with keys, money and an address: `python -m benchmarks.merchants COUNT URL`.

One process with the service's settings, through the service's own functions. Prints JSON.
"""

import json
import sys
from decimal import Decimal

import django

BALANCE = Decimal(900_000_000)


def main() -> None:
    """[{"merchantId", "apiKey", "apiSecret"}, ...]"""
    django.setup()
    from django.db import transaction

    count, url = int(sys.argv[1]), sys.argv[2]
    with transaction.atomic():
        made = [create(number, url) for number in range(count)]
    print(json.dumps(made))


def create(number: int, url: str) -> dict[str, str]:
    """As `manage.py create_merchant` does it."""
    from merchants import services
    from payments.core import clock
    from payments.core.ids import new_id
    from payments.ledger import recipes

    merchant, _ = services.create_merchant(
        name=f"Tienda {number}", actor="benchmark", payout_enabled=True, webhook_url=url
    )
    key, secret = services.issue_api_key(
        merchant=merchant, actor="benchmark", permissions=("payout:create",)
    )
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency="COPM",
        amount=BALANCE,
        reference=new_id("fund"),
        now=clock.now(),
    )
    return {"merchantId": merchant.pk, "apiKey": key.public_key, "apiSecret": secret}


if __name__ == "__main__":
    main()
