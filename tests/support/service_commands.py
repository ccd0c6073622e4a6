"""Commands of a live service in a process of their own: python -m tests.support.service_commands.

One process runs all of them, because each start imports the whole service. A line of input is
["create_merchant", ARGUMENTS], ["connect_fakes", MERCHANT], ["connect_coins", ACCOUNTS] or
["compare", LOG] as JSON. A line of output is {"done": RESULT}, or {"failed": TRACEBACK}.
"""

import io
import os
import sys
import traceback
from typing import Any

import django


def main() -> None:
    django.setup()
    from django.db import connections

    from payments.core import jsontext

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what is logged is no answer
    for line in sys.stdin.buffer:
        name, given = jsontext.loads(line)
        try:
            answer = {"done": COMMANDS[name](given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        finally:
            connections.close_all()  # the experiment may end the database, and its sessions
        print(jsontext.dumps(answer), file=answers, flush=True)


def create_merchant(arguments: list[str]) -> Any:
    from django.core.management import call_command

    from payments.core import jsontext

    written = io.StringIO()
    call_command("create_merchant", *arguments, stdout=written)
    return jsontext.loads(written.getvalue().encode())


def connect_fakes(merchant_id: str) -> None:
    """Their accounts, with routes of this merchant only."""
    from django.db import transaction

    from config.devstack import fake_accounts, fakes
    from payments.rails.models import Route

    with transaction.atomic():
        fake_accounts.connect_fakes()
        routes = Route.objects.filter(account__in=[fake.account for fake in fakes.FAKES])
        routes.update(merchant=merchant_id)


def connect_coins(given: dict[str, Any]) -> None:
    """Accounts on nodes, which only this merchant sells over, and what their coins cost."""
    from payments.core import clock
    from payments.rates import services as rates
    from payments.rates.models import ExchangeRate
    from tests.rails.accounts import enter, route

    for code, provider, url, credentials in given["accounts"]:
        enter(code, provider, url, credentials)
        route("payin", code, method="CRYPTO", merchant_id=given["merchantId"])
    for coin, pesos in given["prices"].items():
        rate = ExchangeRate(currency=coin, price_cop=pesos, source="olga")
        rate.effective_at = clock.now()
        rates.set_rate(rate, actor="olga", reason="The market moved")


def compare(log: dict[str, Any]) -> Any:
    from tests.support import client_log

    return client_log.compare(log)


COMMANDS = {
    "create_merchant": create_merchant,
    "connect_fakes": connect_fakes,
    "connect_coins": connect_coins,
    "compare": compare,
}

if __name__ == "__main__":
    main()
