"""The transaction with which an operator returns coins: it counts only if the chain shows it."""

from datetime import timedelta

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Refund, RefundTransaction
from payments.collect.services.refunds.coin_transactions import resolve
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.outgoing.resolutions import Decision
from payments.providers.ports import ProviderUnreachable
from tests.chains.accounts import chain_accounts  # noqa: F401 (a fixture)
from tests.chains.coin_refunds import (
    UNITS,
    asked_for,
    connected,
    enter,
    look_again,
    name_address,
    on_desk,
    paid_in_coins,
    pay,
)
from tests.chains.fake_chain import NATIVE, FakeChain
from tests.support.charges import books_are_clean
from tests.support.fixtures import ApiClient
from tests.support.refunds import approve, told

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("chain_accounts", "every_event"),
]
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _english(settings: object) -> None:
    settings.LANGUAGE_CODE = "en"  # type: ignore[attr-defined]


@pytest.fixture
def chain(chain_accounts: None) -> FakeChain:  # noqa: F811
    return connected()


class TestTransaction:
    """What an operator enters counts only if the chain shows it."""

    @pytest.fixture
    def refund(self, api: ApiClient, chain: FakeChain) -> Refund:
        return on_desk(api, paid_in_coins(api))

    @pytest.mark.parametrize(
        ("paid", "message"),
        [
            ({"units": UNITS - 1}, r"pays 5.06329 USDT .* The refund is 5.063291 USDT"),
            ({"target": "77" * 20}, "pays nothing to the address"),
            ({"coin": NATIVE}, "pays another coin"),
            ({"token": "0xfake"}, "pays another coin"),
        ],
    )
    def test_wrong_payment_is_refused_with_its_reason_and_nothing_changes(
        self, chain: FakeChain, refund: Refund, paid: dict[str, object], message: str
    ) -> None:
        wrong = pay(chain, **paid)  # type: ignore[arg-type]
        chain.ledger.mine(count=9)
        with pytest.raises(NotAllowed, match=message):
            enter(refund, wrong)
        refund.refresh_from_db()
        assert (refund.status, refund.provider_id) == ("PROCESSING", "")
        assert not RefundTransaction.objects.exists()

    def test_transaction_that_failed_or_does_not_exist_is_refused(self, refund: Refund) -> None:
        with pytest.raises(NotAllowed, match="knows no such transaction, or it failed"):
            enter(refund, "ab" * 32)

    def test_token_that_is_in_no_block_yet_is_asked_for_again(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        early = pay(chain, target="77" * 20)
        with pytest.raises(NotAllowed, match="in no block yet"):
            enter(refund, early)

    def test_other_spelling_of_a_transaction_is_the_same_one(
        self, api: ApiClient, chain: FakeChain, refund: Refund
    ) -> None:
        transaction = pay(chain)
        assert enter(refund, f" {transaction.upper()} ").transaction == transaction
        second = on_desk(api, refund.order, key="r-2")
        with pytest.raises(NotAllowed, match="belongs to another refund"):
            enter(second, transaction.upper())

    def test_payment_from_before_the_refund_is_refused(
        self, api: ApiClient, chain: FakeChain
    ) -> None:
        earlier = pay(chain)
        chain.ledger.mine(count=5)
        with pytest.raises(NotAllowed, match="older than this refund"):
            enter(on_desk(api, paid_in_coins(api)), earlier)

    def test_several_transfers_of_one_transaction_count_together(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        one = pay(chain, UNITS - 5)
        pay(chain, 5, transaction=one, position=1)
        assert enter(refund, one).transaction == one

    def test_node_that_does_not_answer_changes_nothing(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        transaction = pay(chain)
        chain.problem = ProviderUnreachable("away")
        with pytest.raises(NotAllowed, match="does not answer"):
            enter(refund, transaction)
        chain.problem = None
        assert enter(refund, transaction).transaction == transaction

    def test_payment_of_one_refund_never_pays_another(
        self, api: ApiClient, chain: FakeChain, refund: Refund
    ) -> None:
        transaction = pay(chain)
        enter(refund, transaction)
        second = on_desk(api, refund.order, key="r-2")
        with pytest.raises(NotAllowed, match="belongs to another refund"):
            enter(second, transaction)
        second.refresh_from_db()
        assert second.transaction == ""
        own = pay(chain)
        enter(second, own)
        chain.ledger.mine(count=2)
        assert look_again(refund).status == "COMPLETED"
        assert look_again(second).status == "COMPLETED"
        refund.order.refresh_from_db()
        assert refund.order.refunded_amount == 40_000

    def test_one_transaction_may_pay_several_refunds_to_several_addresses(
        self, api: ApiClient, chain: FakeChain, refund: Refund
    ) -> None:
        data = asked_for(api, refund.order, key="r-2")
        name_address(refund.order, data, "addr" + "66" * 20)
        second = approve(Refund.objects.get(pk=data["id"]))
        both = pay(chain)
        pay(chain, target="66" * 20, transaction=both, position=1)
        assert enter(refund, both).transaction == enter(second, both).transaction

    def test_final_payment_completes_at_once_and_only_once(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        chain.ledger.final_height = 0
        transaction = pay(chain)
        chain.ledger.mine(count=2)
        assert enter(refund, transaction).status == "PROCESSING"
        chain.ledger.final_height = 200
        look_again(refund)
        with pytest.raises(NotAllowed, match="waits for no transaction"):
            enter(refund, pay(chain))
        assert [kind for kind, _ in told(refund.order)].count("refund.completed") == 1

    def test_vanished_transaction_returns_to_the_desk_with_an_alert(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        gone = pay(chain)
        enter(refund, gone)
        chain.ledger.waiting = {}
        look_again(refund)
        assert (refund.transaction, refund.needs_operator) == (gone, False)
        with time_machine.travel(clock.now() + HOUR):
            look_again(refund)
        assert (refund.status, refund.transaction) == ("PROCESSING", "")
        assert refund.needs_operator
        assert AuditEntry.objects.get(action="refund.transaction_gone").details == {
            "transaction": gone
        }

    def test_transaction_replaced_by_another_fee_is_entered_again(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        first = pay(chain)
        enter(refund, first)
        with pytest.raises(NotAllowed, match="wait until the network has forgotten it"):
            enter(refund, pay(chain))
        chain.ledger.waiting = {}
        second = pay(chain)
        assert enter(refund, second).transaction == second
        chain.ledger.mine(count=2)
        assert look_again(refund).status == "COMPLETED"

    def test_vanished_transaction_that_comes_back_completes_the_refund(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        transaction = pay(chain)
        enter(refund, transaction)
        waiting, chain.ledger.waiting = chain.ledger.waiting, {}
        look_again(refund)
        with time_machine.travel(clock.now() + HOUR):
            look_again(refund)
            assert refund.transaction == ""
            chain.ledger.waiting = waiting
            chain.ledger.mine()
            look_again(refund)
            assert (refund.status, refund.transaction) == ("PROCESSING", transaction)
            chain.ledger.mine()
            look_again(refund)
        assert (refund.status, refund.transaction) == ("COMPLETED", transaction)

    def test_refund_that_two_transactions_pay_calls_an_operator(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        first = pay(chain)
        enter(refund, first)
        waiting, chain.ledger.waiting = chain.ledger.waiting, {}
        enter(refund, pay(chain))
        chain.ledger.waiting |= waiting
        chain.ledger.mine(count=2)
        look_again(refund)
        assert (refund.status, refund.needs_operator) == ("COMPLETED", True)
        assert [kind for kind, _ in told(refund.order)].count("refund.completed") == 1
        assert books_are_clean()

    def test_reorganised_payment_waits_again(self, chain: FakeChain, refund: Refund) -> None:
        transaction = pay(chain)
        chain.ledger.mine()
        enter(refund, transaction)
        chain.ledger.reorganise(1)
        assert look_again(refund).status == "PROCESSING"
        chain.ledger.mine(count=2)
        assert look_again(refund).status == "COMPLETED"

    def test_only_the_chain_completes_and_a_payment_under_way_is_not_given_up(
        self, api: ApiClient, merchant: Merchant, chain: FakeChain, refund: Refund
    ) -> None:
        decision = Decision(actor="olga", reason="no more", proof="a letter")
        later = clock.now() + HOUR

        def by_hand(outcome: str) -> None:
            resolve(refund=refund, outcome=outcome, decision=decision, now=later)

        with pytest.raises(NotAllowed, match="Enter the transaction instead"):
            by_hand("COMPLETED")
        enter(refund, pay(chain))
        with pytest.raises(NotAllowed, match="may still pay it"):
            by_hand("FAILED")
        chain.ledger.waiting = {}
        look_again(refund)
        with time_machine.travel(later):
            look_again(refund)
        by_hand("FAILED")
        assert ledger.balances(merchant.pk)["COPM"]["available"] == 50_000
        assert books_are_clean()

    def test_address_that_changed_after_the_approval_is_not_paid(
        self, chain: FakeChain, refund: Refund
    ) -> None:
        refund.destination["address"] = "addr" + "66" * 20
        refund.save(update_fields=["destination"])
        with pytest.raises(NotAllowed, match="not the approved one"):
            enter(refund, pay(chain))
