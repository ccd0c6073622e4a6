"""A second node: what only one of them shows is not final."""

from collections.abc import Callable

import pytest

from payments.chains.models import ChainCursor, Problem
from payments.chains.services import watching
from payments.core import clock
from payments.providers.ports import ProviderUnreachable
from tests.chains.fake_chain import FakeChain, MempoolChain
from tests.chains.shop import buy, payment, scan, seen, statuses
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
WHOLE = "0.25012500"


class WitnessedChain(MempoolChain):
    """`witness` answers for the second node."""

    has_witness = True
    witness: Callable[[int], str | None]

    def witness_hash(self, height: int) -> str | None:
        return self.witness(height)


@pytest.fixture
def witnessed(chain: FakeChain) -> WitnessedChain:
    chain.__class__ = WitnessedChain
    assert isinstance(chain, WitnessedChain)
    chain.witness = chain.block_hash
    return chain


def problem() -> str:
    return ChainCursor.objects.get().problem


def test_money_that_both_nodes_show_is_final(api: ApiClient, witnessed: WitnessedChain) -> None:
    charge = buy(api)
    witnessed.ledger.mine(payment(charge), count=2)
    scan(witnessed)
    assert seen(charge)[:2] == ("COMPLETED", WHOLE)
    assert problem() == ""


def test_money_that_one_node_shows_waits_until_the_other_shows_it(
    api: ApiClient, witnessed: WitnessedChain
) -> None:
    charge = buy(api)
    witnessed.ledger.mine(payment(charge), count=6)
    witnessed.witness = lambda height: "another fork"
    scan(witnessed)
    since = ChainCursor.objects.get().problem_since
    scan(witnessed)
    assert (statuses(), problem()) == (["IN_BLOCK"], Problem.NODES_DIFFER)
    assert ChainCursor.objects.get().problem_since == since
    assert seen(charge)[1:] == ("0.00000000", WHOLE)
    assert not watching.is_watched(witnessed.code, clock.now())

    witnessed.witness = witnessed.block_hash
    scan(witnessed)
    assert (seen(charge)[:2], problem()) == (("COMPLETED", WHOLE), "")


def test_silent_second_node_delays_money_and_stops_new_addresses(
    api: ApiClient, witnessed: WitnessedChain
) -> None:
    def silent(height: int) -> str | None:
        raise ProviderUnreachable("silent")

    charge = buy(api)
    witnessed.witness = silent
    witnessed.ledger.mine(payment(charge), count=6)
    scan(witnessed)
    assert (statuses(), problem()) == (["IN_BLOCK"], Problem.NO_WITNESS)
    assert not watching.is_watched(witnessed.code, clock.now())


def test_second_node_that_lies_behind_is_believed_up_to_its_tip(
    api: ApiClient, witnessed: WitnessedChain
) -> None:
    early, late = buy(api), buy(api)
    witnessed.ledger.mine(payment(early), count=2)
    behind = len(witnessed.ledger.blocks)
    witnessed.ledger.mine(payment(late), count=2)
    witnessed.witness = lambda height: witnessed.block_hash(height) if height < behind else None
    scan(witnessed)
    assert (seen(early)[0], seen(late)[0]) == ("COMPLETED", "PROCESSING")
    assert problem() == ""
