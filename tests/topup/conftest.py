"""Café Andino with a full balance and operators to buy from."""

import pytest

from merchants.models import Merchant
from tests.topup.stories import credit


@pytest.fixture(autouse=True)
def operators(catalogues: None) -> None:
    """They come with the other catalogues."""


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    credit(merchant, 1_000_000)
