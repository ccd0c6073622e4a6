"""Café Andino with a full balance and operators to buy from."""

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.topup.services import catalogue
from tests.topup.stories import credit


@pytest.fixture(autouse=True)
def operators(catalogues: None) -> None:
    """What `load_catalogues` brings."""
    catalogue.load_catalogue(now=clock.now())


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    credit(merchant, 1_000_000)
