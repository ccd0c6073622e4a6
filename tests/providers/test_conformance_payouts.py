"""What some payout rails can do beside sending: the promises of ResolvesKeys and ReportsBalance."""

import pytest

from payments.providers.ports import (
    OutgoingReason,
    ProviderRefused,
    ProviderUnreachable,
    ReportsBalance,
    ResolvesKeys,
)
from payments.rails.holder_names import may_be
from tests.providers.every_rail import RAILS, TIMEOUT

PAYING = {
    code: rail.outgoing["payout"] for code, rail in RAILS.items() if "payout" in rail.outgoing
}


def of_every(capability):
    found = [(code, "payout") for code, one in PAYING.items() if isinstance(one, capability)]
    return pytest.mark.parametrize(("code", "product"), found)


@of_every(ResolvesKeys)
class TestKeys:
    """Of rails that name the holder of an instant key."""

    def test_holder_of_a_key_has_a_name(self, outgoing, fake, code, product):
        found = outgoing.resolve_key(*fake.known_key, TIMEOUT)
        assert found.name
        assert may_be(fake.holder, found.name)

    def test_key_that_takes_no_money_is_refused(self, outgoing, fake, code, product):
        for key, reason in (
            (fake.unknown_key, OutgoingReason.KEY_NOT_FOUND),
            (fake.closed_key, OutgoingReason.ACCOUNT_CLOSED),
        ):
            with pytest.raises(ProviderRefused) as refused:
                outgoing.resolve_key(*key, TIMEOUT)
            assert refused.value.reason == reason

    def test_rail_that_is_away_refuses_no_key(self, outgoing, fake, code, product):
        with fake.away(), pytest.raises(ProviderUnreachable):
            outgoing.resolve_key(*fake.unknown_key, TIMEOUT)


@of_every(ReportsBalance)
class TestBalance:
    """Of rails that tell how much is left to pay with."""

    def test_balance_is_in_pesos(self, outgoing, fake, code, product):
        assert outgoing.balance() == fake.balance()

    def test_rail_that_is_away_tells_no_balance(self, outgoing, fake, code, product):
        with fake.away(), pytest.raises(ProviderUnreachable):
            outgoing.balance()
