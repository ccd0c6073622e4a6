"""A merchant that pays by file."""

import pytest

from merchants.models import Merchant
from tests.support.funds import fund


@pytest.fixture
def payer(merchant: Merchant) -> Merchant:
    """Ten million pesos."""
    fund(merchant, 10_000_000)
    return merchant
