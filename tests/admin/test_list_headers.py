"""The mark of a list's order stands on the column of times, never on ids."""

import re

import pytest

from merchants.models import Merchant
from tests.admin.conftest import Console
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.two_tenants import OWN, furnish, load_catalogues

pytestmark = pytest.mark.django_db
_SORTED = re.compile(r'class="[^"]*column-(\w+)[^"]*" aria-sort="(\w+)"')


@pytest.mark.parametrize(
    ("page", "column"),
    [
        ("collect_order", "created"),  # without a column of ids
        ("merchants_merchant", "created"),  # ordered by its ids
        ("core_auditentry", "when"),
        ("payout_payout", "created"),  # which no index can sort
    ],
)
def test_newest_first_is_marked_at_the_time(
    console: Console, merchant: Merchant, page: str, column: str
) -> None:
    load_catalogues()
    furnish(merchant, OWN)
    shown = console.page(f"{page}_changelist").content.decode()
    assert _SORTED.findall(shown) == [(column, "descending")]


def test_pressing_it_turns_the_order_round(console: Console, api: ApiClient) -> None:
    api.post("/collect", order_body())
    shown = console.page("merchants_merchant_changelist").content.decode()
    link = re.search(r'column-created[^>]*>\s*<a href="([^"]+)"', shown)
    assert link is not None
    turned = console.get(f"/admin/merchants/merchant/{link[1]}").content.decode()
    assert _SORTED.findall(turned) == [("created", "ascending")]
