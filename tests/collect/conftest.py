"""Fixtures of what comes after a payment: a merchant that hears of everything, a paid order, and
money to return it from. Some files of this folder have orders of their own.
"""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.refunds import AFTER, paid


@pytest.fixture
def every_event(merchant: Merchant, settings: Any) -> None:
    """All of the optional events are enabled, and only the test sends them."""
    settings.DOORBELL = False
    merchant.event_kinds = list(AFTER)
    merchant.save()


@pytest.fixture
def patient_with_the_rail(settings: Any) -> None:
    """The circuit never opens, however often the rail fails."""
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000


@pytest.fixture
def order(api: ApiClient) -> Order:
    """Paid: 50,025 by the payer, 50,000 in the balance."""
    return paid(api)


@pytest.fixture
def funds(merchant: Merchant) -> None:
    """More than one payment's worth, so that our fee can be returned, too."""
    fund(merchant, 100_000)
