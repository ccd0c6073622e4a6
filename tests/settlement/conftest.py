"""Café Andino's till."""

import pytest

from merchants.models import Merchant
from tests.settlement.ledger_days import Till


@pytest.fixture
def till(merchant: Merchant) -> Till:
    """Café Andino's."""
    return Till(merchant)
