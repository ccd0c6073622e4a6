"""Each row of the table of magic keys, as docs/simulator.md promises it."""

import pytest

from payments.providers.ports import (
    OutgoingReason,
    PayoutNetwork,
    ProviderRefused,
    ProviderTimeout,
    ResolvesKeys,
)
from payments.rails.holder_names import may_be
from payments.simulator.keys import BY_NUMBER
from tests.simulator.conftest import TIMEOUT, payout

UNKNOWN, CLOSED, OTHER, KNOWN, UNANSWERED = BY_NUMBER
NAMES = ("Lucía Ñáñez", "Ana", "Tienda Andina S.A.S.", "José María de la Cruz Pérez")


def test_table_begins_where_the_manual_says():
    assert (UNKNOWN, UNANSWERED) == ("3990002001", "3990002005")


@pytest.mark.parametrize(
    ("key_type", "key"),
    [("PHONE", "3001234567"), ("EMAIL", "ana@example.com"), ("ID", "1020304050")],
)
def test_holder_of_an_ordinary_key_is_masked_and_fits_every_name(payout_port, key_type, key):
    assert isinstance(payout_port, ResolvesKeys)
    found = payout_port.resolve_key(key_type, key, TIMEOUT)
    assert found.name == "**** ****"
    assert found.bank
    assert all(may_be(name, found.name) for name in NAMES)
    assert payout_port.resolve_key(key_type, key, TIMEOUT) == found


@pytest.mark.parametrize("shape", ["{}", "@{}", "{}@example.com"])
@pytest.mark.parametrize(
    ("number", "reason"),
    [(UNKNOWN, OutgoingReason.KEY_NOT_FOUND), (CLOSED, OutgoingReason.ACCOUNT_CLOSED)],
)
def test_key_that_takes_no_money_is_refused_when_asked_and_when_paid(
    payout_port, number, reason, shape
):
    key = {"key_type": "ALPHANUMERIC", "key_value": shape.format(number)}
    for call in (
        lambda: payout_port.resolve_key(*key.values(), TIMEOUT),
        lambda: payout_port.send(payout(PayoutNetwork.BREB, **key), TIMEOUT),
    ):
        with pytest.raises(ProviderRefused) as refused:
            call()
        assert refused.value.reason == reason


def test_keys_of_another_and_of_a_known_holder(payout_port):
    other = payout_port.resolve_key("PHONE", OTHER, TIMEOUT).name
    assert not any(may_be(name, other) for name in NAMES)
    known = payout_port.resolve_key("PHONE", KNOWN, TIMEOUT).name
    assert [name for name in NAMES if may_be(name, known)] == ["Lucía Ñáñez"]


def test_key_whose_holder_is_not_told_is_paid_all_the_same(payout_port):
    with pytest.raises(ProviderTimeout):
        payout_port.resolve_key("PHONE", UNANSWERED, TIMEOUT)
    key = {"key_type": "PHONE", "key_value": UNANSWERED}
    assert payout_port.send(payout(PayoutNetwork.BREB, **key), TIMEOUT).provider_id
