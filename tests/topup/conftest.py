"""Café Andino with a full balance and operators to buy from."""

from collections.abc import Iterator

import pytest

from merchants.models import Merchant
from payments.simulator import failures
from tests.support.funds import fund


@pytest.fixture(autouse=True)
def operators(catalogues: None) -> None:
    """They come with the other catalogues."""


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    fund(merchant, 1_000_000)


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """A rail that does not answer is given up at once: the clock of these tests is not the wall."""
    failures.released.set()
    yield
    failures.released.clear()
