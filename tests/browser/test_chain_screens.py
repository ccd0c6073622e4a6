"""What payers see of a chain, looked at as every other screen is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from merchants.models import Merchant
from payments.collect.models import Order
from payments.providers import networks
from tests.browser.test_screens import look_at
from tests.chains.conftest import chain, chain_accounts  # noqa: F401  fixtures
from tests.chains.fake_chain import FakeChain
from tests.support import chain_screens
from tests.support.legal_data import give_legal_data
from tests.support.page_checks import AXE, WATCH


def test_every_screen_of_a_chain_is_accessible_light_and_still(
    open_browser: Callable[..., BrowserContext],
    create: Callable[..., Order],
    chain: FakeChain,  # noqa: F811
    merchant: Merchant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(networks.NETWORKS, chain.network, networks.NETWORKS["bitcoin"])
    give_legal_data(merchant)
    page = open_browser(bypass_csp=True).new_page()
    page.add_init_script(WATCH)
    page.add_init_script(path=AXE)
    for name, scene in chain_screens.screens(chain).items():
        look_at(page, name, scene, create, languages=("es",))
