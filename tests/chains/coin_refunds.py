"""How tests of refunds in coins talk: a paid order, an address, an operator's transaction."""

import re
from decimal import Decimal
from typing import Any

from payments.chains.models import ChainCursor
from payments.collect.models import Charge, Order, Refund
from payments.collect.services.refunds.coin_transactions import Entry, enter_transaction
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from tests.chains.accounts import connect
from tests.chains.fake_chain import TOKEN, FakeChain, transfer
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import create, say, start
from tests.support.fixtures import ApiClient
from tests.support.refunds import approve, ask

ADDRESS = "addr" + "5e" * 20
TARGET = "5e" * 20
# 20,000 pesos at the sandbox's price of 3,950.
DUE = Decimal("5.063291")
UNITS = 5_063_291


def connected(code: str = "fake", **options: Any) -> FakeChain:
    """An account of coins whose chain is watched."""
    chain = connect(FakeChain(code, **options))
    now, newest = clock.now(), chain.ledger.blocks[-1]
    ChainCursor.objects.create(
        account=chain.code,
        network=chain.network,
        height=newest.height,
        hash=newest.hash,
        tip_height=newest.height,
        tip_time=now,
        scanned_at=now,
    )
    return chain


def paid_in_coins(api: ApiClient, coin: str = "USDT", **changes: Any) -> Order:
    """An order of 50,000 pesos, by default, whose payer sent coins."""
    order = create(api, **changes)
    charge = start(order, "CRYPTO", coin=coin, network="fakenet")
    assert charge.provider == "fake"
    say(charge, "SUCCEEDED", charge.amount)
    order.refresh_from_db()
    assert order.status == "COMPLETED"
    return order


def asked_for(api: ApiClient, order: Order, amount: Any = 20_000, key: str = "r-1") -> Any:
    """The refund as the API shows it."""
    answer = ask(api, order, key, amount=amount)
    assert answer.status_code == 201, answer.content
    return answer.body["data"]


def path_of(data: Any) -> str:
    return re.sub(r"^https?://[^/]+", "", data["destinationUrl"])


def write(order: Order, path: str, address: str = ADDRESS, **fields: str) -> Any:
    """The payer's form as a browser sends it."""
    payer = Payer(order)
    payer.get(path)
    token = payer.cookies["csrftoken"].value
    form = {"csrfmiddlewaretoken": token, "address": address, "consent": "on", **fields}
    return payer.post(path, form)


def name_address(order: Order, data: Any, address: str = ADDRESS) -> None:
    """Both looks at the address."""
    answer = write(order, path_of(data), address, compared=address)
    assert answer.status_code == 303, answer.content.decode()


def on_desk(api: ApiClient, order: Order, amount: Any = 20_000, key: str = "r-1") -> Refund:
    """A refund that an operator has approved and now pays."""
    data = asked_for(api, order, amount, key)
    name_address(order, data)
    refund = approve(Refund.objects.get(pk=data["id"]))
    assert refund.status == "PROCESSING"
    return refund


def pay(chain: FakeChain, units: int = UNITS, target: str = TARGET, **options: Any) -> str:
    """The operator's wallet sends coins, which wait for a block."""
    sent = transfer(target, units, **{"coin": TOKEN, **options})
    chain.ledger.wait(sent)
    return sent.transaction


def enter(refund: Refund, transaction: str) -> Refund:
    entry = Entry(transaction=transaction, actor="olga", reason="paid from the cold wallet")
    enter_transaction(refund=refund, entry=entry, now=clock.now())
    refund.refresh_from_db()
    return refund


def look_again(refund: Refund) -> Refund:
    """The scan of due refunds, when this one is due."""
    Refund.objects.filter(pk=refund.pk, next_action_at__isnull=False).update(
        next_action_at=clock.now()
    )
    engine.process_due(now=clock.now())
    refund.refresh_from_db()
    return refund


def charge_of(order: Order) -> Charge:
    return order.charges.get()
