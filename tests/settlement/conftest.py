"""Café Andino's till."""

import pytest

from merchants.models import Merchant
from tests.support.settlement_days import Till


@pytest.fixture
def till(merchant: Merchant) -> Till:
    """Café Andino's."""
    return Till(merchant)
