from collections.abc import Iterator
from typing import Any

import pytest

from tests.rates.fake_sources import Market, running


@pytest.fixture
def market(db: None, settings: Any) -> Iterator[Market]:
    """Buda, Binance and Bitso are asked, and the TRM is known. All of them are honest."""
    with running() as market:
        settings.RATE_SOURCES = ["buda", "binance", "bitso", "trm"]
        settings.RATE_SOURCE_URLS = market.urls()
        yield market
