"""The desk of refunds in coins in a browser: an operator copies the address into their wallet."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture
from tests.browser.test_console_desk import LAPTOP, POCKET, open_desk, own_violations  # noqa: F401
from tests.chains.accounts import chain_accounts  # noqa: F401  a fixture
from tests.chains.coin_refunds import ADDRESS, connected, on_desk, paid_in_coins
from tests.support.fixtures import ApiClient
from tests.support.page_checks import AXE, overflow


@pytest.mark.usefixtures("chain_accounts")
def test_operator_copies_the_address_of_a_refund(
    open_desk: Callable[..., Page],  # noqa: F811
    server: str,
    api: ApiClient,
    settings: pytest.FixtureRequest,
) -> None:
    settings.DOORBELL = False  # type: ignore[attr-defined]
    connected()
    refund = on_desk(api, paid_in_coins(api))
    desk = open_desk(viewport=LAPTOP)
    desk.add_init_script(path=AXE)
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.goto(server + reverse("admin:collect_refund_change", args=[refund.pk]))
    copy = desk.locator(".desk-copy")
    expect(copy).to_contain_text(ADDRESS)
    copy.get_by_role("button", name="Copy the address").click()
    expect(copy.get_by_role("status")).to_have_text("Copied")
    assert desk.evaluate("navigator.clipboard.readText()") == ADDRESS
    assert own_violations(desk) == []
    picture(desk, "desk-refund-of-coins")
    desk.set_viewport_size(POCKET)
    assert overflow(desk) == 0
    picture(desk, "desk-pocket-refund-of-coins")
