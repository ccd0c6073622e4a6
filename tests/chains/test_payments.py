"""Orders paid in coins: the payer's page, the chain, the scanner, the report."""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from payments.chains import progress
from payments.chains.models import ChainCursor, CoinAddress, Deposit
from payments.chains.scanner import runs
from payments.collect.models import UnmatchedFunds
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.ledger import services as ledger
from tests.chains.accounts import connect
from tests.chains.fake_chain import NATIVE, TOKEN, FakeChain, MempoolChain, transfer
from tests.chains.shop import address_of, buy, payment, report, scan, seen, statuses
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import create, events_of
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
WHOLE = "0.25012500"


def unmatched() -> list[tuple[str, str, str]]:
    rows = UnmatchedFunds.objects.order_by("created_at", "id")
    return [(one.reason, one.currency, f"{one.amount.normalize():f}") for one in rows]


def test_payment_is_seen_then_confirmed_then_credited(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    paid = payment(charge)
    chain.ledger.wait(paid)
    scan(chain)
    assert seen(charge) == ("PROCESSING", "0.00000000", WHOLE)
    [sight] = progress.of_charge(charge)
    assert (sight.confirmations, sight.needed, sight.amount) == (0, 2, Decimal(WHOLE))
    assert sight.url == f"https://explorer.example/tx/{paid.transaction}"
    chain.ledger.mine()
    scan(chain)
    assert seen(charge) == ("PROCESSING", "0.00000000", WHOLE)
    assert progress.of_charge(charge)[0].confirmations == 1
    chain.ledger.mine()
    scan(chain)
    assert seen(charge) == ("COMPLETED", WHOLE, "0.00000000")
    assert events_of(charge.order) == ["payment.completed"]
    assert charge.order.confirmed_at is not None
    assert progress.of_charge(charge)[0].is_final
    assert charge.trace_code == paid.transaction
    scan(chain)
    chain.ledger.mine(count=3)
    scan(chain)
    assert seen(charge) == ("COMPLETED", WHOLE, "0.00000000")
    assert not ledger.verify().problems


def test_token_counts_as_the_coin_and_not_as_another(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api, TOKEN)
    chain.ledger.mine(payment(charge, TOKEN), count=2)
    scan(chain)
    assert seen(charge)[0] == "COMPLETED"


def test_payment_in_parts_completes_with_the_last_one(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=10_000_000), count=2)
    scan(chain)
    assert seen(charge)[:2] == ("WAITING_TRANSFER", "0.10000000")
    chain.ledger.mine(payment(charge, units=15_012_500), count=2)
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_too_much_and_twice_wait_for_an_operator(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=30_000_000), count=2)
    scan(chain)
    assert seen(charge)[0] == "COMPLETED"
    chain.ledger.mine(payment(charge), count=2)
    scan(chain)
    assert [(reason, coin) for reason, coin, _ in unmatched()] == [
        ("EXCESS", "COP"),
        ("SECOND_SUCCESS", "BTC"),
    ]
    assert not ledger.verify().problems


def test_another_coin_of_the_account_waits_for_an_operator(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, TOKEN, units=12_500_000), count=2)
    scan(chain)
    scan(chain)
    assert seen(charge) == ("WAITING_TRANSFER", "0.00000000", "0.00000000")
    assert unmatched() == [("CURRENCY", "USDT", "12.5")]


def test_unknown_token_is_only_shown(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=10**20, token="0xscam"), count=2)
    scan(chain)
    assert seen(charge) == ("WAITING_TRANSFER", "0.00000000", "0.00000000")
    assert unmatched() == []
    assert list(Deposit.objects.values_list("coin", "token")) == [("", "0xscam")]
    assert not progress.of_charge(charge)[0].is_expected


def test_dust_counts_nothing(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=545), count=2)
    scan(chain)
    assert seen(charge) == ("WAITING_TRANSFER", "0.00000000", "0.00000000")
    assert not progress.of_charge(charge)[0].counts


def test_money_on_the_wrong_network_is_known_to_be_of_the_charge(
    api: ApiClient, chain: FakeChain
) -> None:
    """Two other networks of the same key: their money waits for an operator, each coin once."""
    others = [
        connect(MempoolChain(name, network=name), routed=False) for name in ("net-b", "net-c")
    ]
    scan(*others)
    charge = buy(api)
    for other, units in zip(others, (5_000_000, 3_000_000), strict=True):
        other.ledger.mine(payment(charge, units=units), count=2)
        scan(other)
        scan(other)
    assert seen(charge) == ("WAITING_TRANSFER", "0.00000000", "0.00000000")
    assert unmatched() == [("ACCOUNT", "BTC", "0.05"), ("ACCOUNT", "BTC", "0.03")]


def test_two_accounts_of_one_network_and_key_credit_once(api: ApiClient, chain: FakeChain) -> None:
    other = connect(MempoolChain("second", ledger=chain.ledger), routed=False)
    scan(other)
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    scan(other, chain, other)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert Deposit.objects.count() == 1


def test_coins_seen_before_the_end_of_the_price_keep_it(api: ApiClient, chain: FakeChain) -> None:
    """Even if the service hears of them after the end: the time of the block counts."""
    charge = buy(api, expirationMinutes=600)
    assert charge.quote_expires_at is not None
    chain.ledger.mine(payment(charge, units=20_000_000))
    with time_machine.travel(charge.quote_expires_at + timedelta(minutes=5), tick=False):
        chain.ledger.mine(payment(charge, units=5_012_500), count=2)
        scan(chain)
        charge.refresh_from_db()
        assert charge.received == Decimal(WHOLE)
        assert charge.in_time_received == Decimal("0.2")


def test_late_payment_waits_for_an_operator(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    with time_machine.travel(clock.now() + timedelta(hours=2), tick=False):
        expiry.expire_due(now=clock.now())
        assert seen(charge)[0] == "EXPIRED"
    with time_machine.travel(clock.now() + timedelta(days=400), tick=False):
        chain.ledger.mine(payment(charge), count=2)
        scan(chain)
        scan(chain)
        assert seen(charge)[:2] == ("EXPIRED", WHOLE)
        assert unmatched() == [("LATE", "BTC", "0.250125")]


def test_order_stays_open_while_its_coins_wait(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.wait(payment(charge))
    scan(chain)
    with time_machine.travel(clock.now() + timedelta(hours=2), tick=False):
        expiry.expire_due(now=clock.now())
        chain.ledger.mine(count=2)
        scan(chain)
        assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_replacement_with_another_fee_keeps_the_time_and_counts_once(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api, expirationMinutes=600)
    chain.ledger.wait(payment(charge))
    scan(chain)
    first = Deposit.objects.get()
    assert charge.quote_expires_at is not None
    with time_machine.travel(charge.quote_expires_at + timedelta(minutes=5), tick=False):
        chain.ledger.waiting.clear()
        replacement = payment(charge)
        chain.ledger.wait(replacement)
        scan(chain)
        assert seen(charge)[2] == WHOLE
        chain.ledger.mine(count=2)
        scan(chain)
        assert seen(charge)[:2] == ("COMPLETED", WHOLE)
        assert charge.in_time_received == Decimal(WHOLE)
    assert statuses() == ["GONE", "FINAL"]
    heir = Deposit.objects.get(transaction=replacement.transaction)
    assert heir.first_seen_at == first.first_seen_at


def test_replacement_that_was_mined_unseen_keeps_the_time(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.wait(payment(charge))
    scan(chain)
    first = Deposit.objects.get()
    chain.ledger.waiting.clear()
    with time_machine.travel(clock.now() + timedelta(minutes=5), tick=False):
        chain.ledger.mine(payment(charge), count=2)
        scan(chain)
    assert statuses() == ["GONE", "FINAL"]
    assert Deposit.objects.get(status="FINAL").first_seen_at == first.first_seen_at
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_dropped_transaction_is_gone_and_may_return(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    paid = payment(charge)
    chain.ledger.wait(paid)
    scan(chain)
    chain.ledger.waiting.clear()
    scan(chain)
    assert seen(charge) == ("WAITING_TRANSFER", "0.00000000", "0.00000000") or seen(charge) == (
        "PROCESSING",
        "0.00000000",
        "0.00000000",
    )
    assert statuses() == ["GONE"]
    chain.ledger.wait(paid)
    scan(chain)
    assert (statuses(), seen(charge)[2]) == (["SEEN"], WHOLE)
    chain.ledger.mine(count=2)
    scan(chain)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)


def test_the_charge_names_the_transaction_that_pays(api: ApiClient, chain: FakeChain) -> None:
    """Not one that was replaced or dropped, and the final ones before those under way."""
    charge = buy(api)

    def named() -> str:
        charge.refresh_from_db()
        return str(charge.trace_code)

    dropped, replaced, heir = payment(charge, units=1_000_000), payment(charge), payment(charge)
    chain.ledger.wait(dropped)
    scan(chain)
    assert named() == dropped.transaction
    chain.ledger.waiting.clear()
    scan(chain)
    assert named() == ""
    chain.ledger.wait(replaced)
    scan(chain)
    assert named() == replaced.transaction
    chain.ledger.waiting.clear()
    chain.ledger.wait(heir)
    scan(chain)
    assert named() == heir.transaction
    quick = payment(charge, units=1_000_000)
    waiting, chain.ledger.waiting = chain.ledger.waiting, {}
    chain.ledger.mine(quick)
    chain.ledger.waiting = waiting
    chain.needed = 1
    scan(chain)
    assert named() == quick.transaction
    chain.ledger.mine()
    scan(chain)
    assert (seen(charge)[0], named()) == ("COMPLETED", quick.transaction)
    assert quick.transaction in Payer(charge.order).see()


def test_second_payment_is_unmatched_under_its_own_name(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    first, second = payment(charge), payment(charge)
    chain.ledger.mine(first, count=2)
    scan(chain)
    chain.ledger.mine(second, count=2)
    scan(chain)
    assert UnmatchedFunds.objects.get().trace_code == second.transaction
    charge.refresh_from_db()
    assert charge.trace_code == first.transaction


def test_block_that_hides_from_the_mempool_pass_ends_nothing(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction leaves the mempool for a block that this scan has not read."""
    charge = buy(api)
    chain.ledger.wait(payment(charge))
    scan(chain)
    original = MempoolChain.mempool

    def mine_first(self: MempoolChain, known: object, limit: int) -> object:
        self.ledger.mine()
        return original(self, known, limit)  # type: ignore[arg-type]

    monkeypatch.setattr(MempoolChain, "mempool", mine_first)
    scan(chain)
    assert (statuses(), seen(charge)[2]) == (["SEEN"], WHOLE)


def test_transfer_to_a_stranger_costs_nothing(api: ApiClient, chain: FakeChain) -> None:
    buy(api)
    chain.ledger.mine(transfer("stranger", 10**8, coin=NATIVE), count=2)
    scan(chain)
    assert Deposit.objects.count() == 0


def test_report_that_died_is_repeated(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the commit of the scan and the report."""
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    runs.scan_account(account=chain.code, now=clock.now())
    assert address_of(charge).report_at is not None
    with monkeypatch.context() as patched:
        name = "payments.collect.services.charges.charge_updates.apply_charge_update"
        patched.setattr(name, _die)
        report()
    assert seen(charge)[0] == "WAITING_TRANSFER"
    with time_machine.travel(clock.now() + timedelta(seconds=31), tick=False):
        report()
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert address_of(charge).report_at is None


def _die(**_: object) -> None:
    raise SystemError("the process was killed")


def test_first_scan_begins_at_the_tip(api: ApiClient, chain: FakeChain) -> None:
    assert ChainCursor.objects.get().height == 99
    assert "read" not in chain.calls


def test_coin_of_an_unwatched_chain_cannot_be_paid(api: ApiClient, chain: FakeChain) -> None:
    with time_machine.travel(clock.now() + timedelta(minutes=5), tick=False):
        shop_order = create(api)
        payer = Payer(shop_order)
        answer = payer.get(payer.url + "/crypto")
        if "csrftoken" in payer.cookies:
            answer = payer.send("/crypto", {"coin": "BTC"})
        assert "addr" not in answer.content.decode()
    assert not CoinAddress.objects.exists()
