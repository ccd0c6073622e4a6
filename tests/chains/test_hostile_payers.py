"""Payers who use a reorganisation, the mempool or the time to pay less than they owe."""

from datetime import timedelta

import pytest
import time_machine

from payments.chains import decisions
from payments.chains.models import Deposit
from payments.collect.services.charges import reconciliation
from payments.core import clock
from payments.ledger import services as ledger
from tests.chains import shop
from tests.chains.accounts import connect
from tests.chains.fake_chain import NATIVE, TOKEN, FakeChain, Ledger, MempoolChain
from tests.chains.shop import buy, payment, scan, seen, statuses
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
NOTHING = "0.00000000"


@pytest.fixture
def tokens(catalogues: None, chain_accounts: None) -> FakeChain:
    """As of EVM: without a mempool. A contract may do something else in each block."""
    shop.set_prices()
    made = connect(FakeChain())
    shop.scan(made)
    return made


def test_token_that_turns_into_another_one_on_the_new_fork_is_not_credited(
    api: ApiClient, tokens: FakeChain
) -> None:
    """The payer's contract sends USDT in one block, and a token of its own in another."""
    charge = buy(api, TOKEN)
    paid = payment(charge, TOKEN, position=1)
    tokens.ledger.mine(paid)
    scan(tokens)
    assert statuses() == ["IN_BLOCK"]
    tokens.ledger.reorganise(1, returns=False)
    fake = payment(charge, TOKEN, position=1, token="0xfake", transaction=paid.transaction)
    tokens.ledger.mine(fake, count=5)
    scan(tokens)
    assert seen(charge)[1:] == (NOTHING, NOTHING)
    assert Deposit.objects.get().coin == ""


def test_foreign_token_that_turns_into_the_coin_is_credited(
    api: ApiClient, tokens: FakeChain
) -> None:
    charge = buy(api, TOKEN)
    fake = payment(charge, TOKEN, position=1, token="0xfake")
    tokens.ledger.mine(fake)
    scan(tokens)
    tokens.ledger.reorganise(1, returns=False)
    paid = payment(charge, TOKEN, position=1, transaction=fake.transaction)
    tokens.ledger.mine(paid, count=5)
    scan(tokens)
    assert seen(charge)[0] == "COMPLETED"


@pytest.mark.parametrize("more", [-1_000_000, 1_000_000])
def test_amount_that_differs_on_the_new_fork_is_what_counts(
    more: int, api: ApiClient, tokens: FakeChain
) -> None:
    """A payer pays out of an exchange on the chain, whose price differs in another block."""
    charge = buy(api, TOKEN)
    whole = TOKEN.units(charge.amount)
    first = payment(charge, TOKEN, position=1)
    tokens.ledger.mine(first)
    scan(tokens)
    tokens.ledger.reorganise(1, returns=False)
    second = payment(charge, TOKEN, units=whole + more, position=1, transaction=first.transaction)
    tokens.ledger.mine(second, count=5)
    scan(tokens)
    assert seen(charge)[1] == f"{TOKEN.amount(whole + more):.8f}"
    assert not ledger.verify().problems


def test_waiting_transactions_of_strangers_hide_no_payment(
    api: ApiClient, chain: MempoolChain, settings: object
) -> None:
    """More of them than one scan reads, none of which pays a kind of address that we have."""
    settings.CHAIN_MEMPOOL_PER_RUN = 10  # type: ignore[attr-defined]
    charge = buy(api)
    for number in range(25):
        chain.ledger.waiting[f"{number:064x}"] = []
    chain.ledger.wait(payment(charge))
    for _ in range(3):
        scan(chain)
    assert statuses() == ["SEEN"]
    assert seen(charge)[0] == "PROCESSING"


def test_payment_that_was_withdrawn_gives_a_later_one_no_old_price(
    api: ApiClient, chain: MempoolChain
) -> None:
    charge = buy(api, expirationMinutes=10_000)
    chain.ledger.wait(payment(charge))
    scan(chain)
    chain.ledger.waiting.clear()
    chain.ledger.mine()
    scan(chain)
    assert statuses() == ["GONE"]
    with time_machine.travel(clock.now() + timedelta(days=2), tick=False):
        shop.PRICES["BTC"], usual = 200_000_000, shop.PRICES["BTC"]
        try:
            shop.set_prices()
        finally:
            shop.PRICES["BTC"] = usual
        chain.ledger.mine(payment(charge), count=3)
        scan(chain)
        assert seen(charge)[0] == "WAITING_TRANSFER", "half of the price is missing"
    assert Deposit.objects.get(status="GONE").replaced_by is None


def test_payer_is_credited_after_the_coin_was_taken_off_the_account(
    api: ApiClient, tokens: FakeChain
) -> None:
    """The payer still has the address, and the time to pay."""
    charge = buy(api, TOKEN)
    tokens.coins = tuple(one for one in tokens.coins if one.code != TOKEN.code)
    tokens.ledger.mine(payment(charge, TOKEN), count=5)
    scan(tokens)
    assert seen(charge)[0] == "COMPLETED"


def test_query_of_a_charge_keeps_the_price_of_what_came_in_time(
    api: ApiClient, chain: MempoolChain
) -> None:
    """Both were found at once, after an outage, and the query came before the report."""
    charge = buy(api, expirationMinutes=600)
    whole = NATIVE.units(charge.amount)
    assert charge.quote_expires_at is not None
    late = charge.quote_expires_at + timedelta(minutes=1)
    chain.ledger.mine(payment(charge, units=whole // 2))
    chain.ledger.mine(payment(charge, units=1000), at=late)
    with time_machine.travel(late + timedelta(minutes=1), tick=False):
        chain.ledger.mine(count=2)
        scan(chain, reports=False)
        reconciliation.query_provider(charge=charge, now=clock.now())
        charge.refresh_from_db()
        assert NATIVE.units(charge.in_time_seen) == whole // 2


def test_chain_that_is_read_again_credits_nothing_of_the_old_one(
    api: ApiClient, tokens: FakeChain, settings: object
) -> None:
    """Of a chain whose blocks are final only after more blocks than are kept."""
    settings.CHAIN_KEPT_BLOCKS = 10  # type: ignore[attr-defined]
    tokens.needed = 40
    charge = buy(api)
    tokens.ledger.mine(payment(charge), count=30)
    scan(tokens)
    assert statuses() == ["IN_BLOCK"]
    tokens.ledger = Ledger("elsewhere")
    tokens.ledger.mine(count=40)
    decisions.restart_chain(account=tokens.code, actor="olga", reason="x", now=clock.now())
    for _ in range(2):
        tokens.ledger.mine(count=20)
        scan(tokens)
    assert seen(charge)[1:] == (NOTHING, NOTHING)
    assert statuses() == ["GONE"]
