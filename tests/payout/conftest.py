"""Fixtures of payouts: money to pay them from."""

import pytest

from merchants.models import Merchant
from tests.payout.stories import credit


@pytest.fixture
def funds(merchant: Merchant) -> None:
    """A million pesos."""
    credit(merchant, "COPM", 1_000_000)
