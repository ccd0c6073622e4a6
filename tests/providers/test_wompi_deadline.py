"""The calls that Wompi's adapter makes for one start end in time, together."""

import time

import pytest

from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from payments.providers.wompi.payin import WompiPayin
from tests.providers.test_wompi import TIMEOUT, account_of, charge
from tests.rails.fake_server.server import RunningServer
from tests.rails.wompi.rail import WompiRail


@pytest.fixture
def fake():
    with RunningServer(WompiRail()) as server:
        yield server


@pytest.fixture
def payin(fake):
    return WompiPayin(account_of(fake))


def test_time_that_ends_before_the_creation_means_that_nothing_was_started(fake, payin):
    fake.control.fault("GET /v1/merchants/*", "delay", seconds=2)
    with pytest.raises(ProviderUnreachable):
        payin.start(charge(), 0.3)
    assert "POST /v1/transactions" not in fake.control.state()["requests"]


@pytest.mark.parametrize("on", ["POST /v1/transactions", "GET /v1/transactions"])
def test_time_that_ends_after_the_creation_is_a_doubt(fake, payin, on):
    """A repeated start queries the reference, which the rail refuses."""
    request = charge()
    payin.start(request, TIMEOUT)
    fake.control.fault(on, "delay", seconds=5)
    with pytest.raises(ProviderTimeout):
        payin.start(request, 3.0)


def test_one_call_of_a_start_takes_no_longer_than_other_calls(fake, payin, settings):
    settings.PROVIDER_TIMEOUT_SECONDS = 1
    fake.control.fault("POST /v1/transactions", "delay", seconds=4)
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        payin.start(charge(), 60)
    assert time.monotonic() - began < 10
