"""Fixtures of payouts: money to pay them from."""

import pytest

from merchants.models import Merchant
from tests.support.funds import fund


@pytest.fixture
def funds(merchant: Merchant) -> None:
    """A million pesos."""
    fund(merchant, 1_000_000)
