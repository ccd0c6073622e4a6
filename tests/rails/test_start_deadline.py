"""All calls that start one charge end within CHARGE_START_SECONDS, at however many accounts."""

import time

import pytest

from payments.collect.models import Charge
from payments.collect.services.charges import reconciliation
from payments.collect.services.errors import ProviderUnavailable
from payments.core import clock
from tests.collect.test_pages.conftest import Payer
from tests.rails.accounts import two_wompis
from tests.rails.terms import accepted
from tests.rails.test_payin_accounts import ADULT, start
from tests.support.charges import create

pytestmark = pytest.mark.django_db
CREATE = "POST /v1/transactions"
MERCHANT = "GET /v1/merchants/*"
# One call may take much longer than the whole start.
START_SECONDS = 3
CALL_SECONDS = 20


@pytest.fixture(autouse=True)
def _limits(settings):
    settings.PROVIDER_TIMEOUT_SECONDS = CALL_SECONDS
    settings.CHARGE_START_SECONDS = START_SECONDS


@pytest.fixture
def rails():
    with two_wompis() as both:
        yield both


def requests_of(fake):
    return fake.control.state()["requests"]


def test_payer_is_answered_in_time_and_no_other_account_gets_a_doubtful_charge(api, rails):
    first, second = rails
    payer = Payer(create(api))
    fields = accepted(payer, "/pse", ADULT)
    first.control.fault(MERCHANT, "delay", seconds=0.5)
    first.control.fault(CREATE, "slow_drip", interval_seconds=1)
    began = time.monotonic()
    page = payer.choose("/pse", fields)
    assert time.monotonic() - began < CALL_SECONDS / 2
    assert "/pse" not in page
    charge = Charge.objects.get()
    assert (charge.provider, charge.status) == ("aaa", "STARTING")
    assert CREATE not in requests_of(second)
    # The rail has carried out the call, and a query finds it.
    assert reconciliation.query_provider(charge=charge, now=clock.now())
    charge.refresh_from_db()
    assert (charge.provider, charge.status) == ("aaa", "PENDING")
    assert CREATE not in requests_of(second)


def test_account_that_hangs_before_anything_is_created_leaves_no_time_for_others(api, rails):
    """Certainly not started: the payer may choose again, and nothing is in doubt."""
    first, second = rails
    order = create(api)
    first.control.fault(MERCHANT, "delay", seconds=CALL_SECONDS, after=1)
    began = time.monotonic()
    with pytest.raises(ProviderUnavailable):
        start(order)
    assert time.monotonic() - began < CALL_SECONDS / 2
    charge = Charge.objects.get()
    assert (charge.provider, charge.status) == ("aaa", "ABANDONED")
    assert CREATE not in {**requests_of(first), **requests_of(second)}


def test_documents_of_the_next_account_are_read_within_the_time(api, rails):
    """Its list is in no cache yet, and its rail hangs, too."""
    first, second = rails
    order = create(api)
    first.control.fault(MERCHANT, "too_many", times=None, after=1)
    second.control.fault(MERCHANT, "delay", seconds=CALL_SECONDS)
    began = time.monotonic()
    with pytest.raises(ProviderUnavailable):
        start(order)
    assert time.monotonic() - began < CALL_SECONDS / 2
    assert Charge.objects.get().status == "ABANDONED"
    assert CREATE not in {**requests_of(first), **requests_of(second)}


def test_second_account_takes_the_charge_in_the_rest_of_the_time(api, rails, settings):
    settings.CHARGE_START_SECONDS = 10
    first, second = rails
    order = create(api)
    first.control.fault(MERCHANT, "too_many", times=None, after=1)
    second.control.fault(MERCHANT, "delay", seconds=0.3)
    charge = start(order)
    assert (charge.provider, charge.status) == ("bbb", "PENDING")
    assert CREATE not in requests_of(first)
