"""A filter that is not offered to a person does nothing when its address is typed."""

import pytest

from merchants.models import Merchant
from tests.admin.conftest import Console
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db
LISTS = ("collect_refund", "collect_dispute", "payout_payout")
VALUES = ("operator", "waiting", "all", "approval", "nonsense")


@pytest.fixture
def rosa(merchant: Merchant) -> Console:
    """Who works for the merchant."""
    return browser_of(person_of(merchant, "rosa"))


def filtered(browser: Console, pages: str, value: str) -> bool:
    """Whether the list obeys."""
    name = f"{pages}_changelist"
    plain = browser.page(name).context["cl"].queryset
    asked = browser.page(name, exceptions=value).context["cl"].queryset
    return str(asked.query.where) != str(plain.query.where)


@pytest.mark.parametrize("pages", LISTS)
def test_people_of_merchants_cannot_ask_for_what_is_in_doubt(rosa: Console, pages: str) -> None:
    obeyed = {value for value in VALUES if filtered(rosa, pages, value)}
    assert obeyed == ({"waiting"} if pages == "collect_dispute" else {"approval"})


def test_waiting_disputes_of_a_merchant_are_the_open_ones(rosa: Console) -> None:
    shown = rosa.page("collect_dispute_changelist", exceptions="waiting").context["cl"]
    assert "needs_operator" not in str(shown.queryset.query.where)


@pytest.mark.parametrize(
    ("pages", "offered"),
    [
        ("collect_refund", {"operator", "approval"}),
        ("collect_dispute", {"waiting"}),
        ("payout_payout", {"operator", "all", "approval"}),
    ],
)
def test_operators_are_offered_all(console: Console, pages: str, offered: set[str]) -> None:
    assert {value for value in VALUES if filtered(console, pages, value)} == offered
