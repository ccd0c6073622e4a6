"""Filters by a code offer the values of the newest rows, because all would read the whole table."""

import pytest

from merchants.models import Merchant
from payments.console import changelist
from payments.core import audit
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db
LIST = "/admin/core/auditentry/"


@pytest.fixture
def actions(merchant: Merchant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows, of which one is among the newest."""
    monkeypatch.setattr(changelist, "COUNT_CAP", 1)
    for action in ("merchant.changed", "merchant.logo_removed"):
        audit.record(actor="ana", action=action, subject=merchant, reason="")


def test_operators_are_offered_the_values_of_the_newest_rows(
    console: Console, actions: None
) -> None:
    page = console.get(LIST).content.decode()
    assert "?action=merchant.logo_removed" in page
    assert "?action=merchant.changed" not in page


def test_older_value_in_the_address_filters_and_is_offered(console: Console, actions: None) -> None:
    response = console.get(f"{LIST}?action=merchant.changed")
    assert [row.action for row in response.context["cl"].result_list] == ["merchant.changed"]
    assert "?action=merchant.logo_removed" in response.content.decode()
    assert "?action=merchant.changed" in response.content.decode()
