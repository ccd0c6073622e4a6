"""Screens of payers whose coins are on a chain in memory (tests/chains/fake_chain.py)."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from payments.collect.models import Charge, Order
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers.ports.chain import Coin
from tests.chains.fake_chain import NATIVE, TOKEN, FakeChain
from tests.chains.shop import choose_coin, payment, scan
from tests.support.payment_screens import Scene

Create = Callable[..., Order]
WHOLE, PART, OTHER = 100_000_000, 10_000_000, 12_500_000


def bought(create: Create, coin: Coin = NATIVE) -> Charge:
    return choose_coin(create(amount=WHOLE, expirationMinutes=60), coin)


def seen(chain: FakeChain, charge: Charge) -> str:
    scan(chain)
    return charge.order.collect_url


def waiting(chain: FakeChain, create: Create) -> str:
    charge = bought(create)
    chain.ledger.wait(payment(charge))
    return seen(chain, charge)


def in_block(chain: FakeChain, create: Create) -> str:
    charge = bought(create)
    chain.ledger.mine(payment(charge), count=2)
    return seen(chain, charge)


def not_final(chain: FakeChain, create: Create) -> str:
    """On a chain that says itself which blocks are final."""
    charge = bought(create)
    chain.ledger.final_height = len(chain.ledger.blocks) - 1
    chain.ledger.mine(payment(charge), count=7)
    url = seen(chain, charge)
    chain.ledger.final_height = None
    return url


def dropped(chain: FakeChain, create: Create) -> str:
    charge = bought(create)
    chain.ledger.wait(payment(charge))
    scan(chain)
    chain.ledger.waiting.clear()
    return seen(chain, charge)


def in_parts(chain: FakeChain, create: Create) -> str:
    charge = bought(create)
    chain.ledger.mine(payment(charge, units=PART), payment(charge, units=545), count=6)
    chain.ledger.mine(payment(charge, units=PART // 2))
    return seen(chain, charge)


def strange(chain: FakeChain, create: Create) -> str:
    charge = bought(create, TOKEN)
    chain.ledger.mine(payment(charge, NATIVE, units=OTHER))
    return seen(chain, charge)


def paid(chain: FakeChain, create: Create) -> Charge:
    charge = bought(create)
    chain.ledger.mine(payment(charge), count=6)
    scan(chain)
    return charge


def paid_again(chain: FakeChain, create: Create) -> str:
    charge = paid(chain, create)
    chain.ledger.mine(payment(charge))
    return seen(chain, charge)


def late(chain: FakeChain, create: Create) -> str:
    charge = bought(create)
    Order.objects.filter(pk=charge.order_id).update(expires_at=clock.now() - timedelta(minutes=1))
    expiry.expire_if_due(order_id=charge.order_id, now=clock.now())
    chain.ledger.mine(payment(charge), count=3)
    return seen(chain, charge)


def receipt(chain: FakeChain, create: Create) -> str:
    return paid(chain, create).order.collect_url


STATES = {
    "chain-waiting": waiting,
    "chain-in-block": in_block,
    "chain-not-final": not_final,
    "chain-dropped": dropped,
    "chain-parts": in_parts,
    "chain-strange": strange,
    "chain-paid": receipt,
    "chain-paid-again": paid_again,
    "chain-late": late,
}


def screens(chain: FakeChain) -> dict[str, Scene]:
    """Six blocks make a payment final."""
    chain.needed = 6
    return {name: Scene(partial(state, chain)) for name, state in STATES.items()}
