"""Operators empty the queue of unmatched funds."""

from typing import Any

import pytest
from django.db import transaction

from merchants.models import Merchant
from payments.collect.models import Order, UnmatchedFunds
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.orders.lookup import lock_order
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, url
from tests.support.charges import create, say, start, status_of
from tests.support.fixtures import ApiClient
from tests.support.funds import available

pytestmark = pytest.mark.django_db
PAGE = "collect_unmatchedfunds"
ACTS = ("credit", "apply_to", "give_back")


@pytest.fixture
def funds(api: ApiClient) -> UnmatchedFunds:
    """Paid by transfer after the order had expired."""
    order = create(api)
    charge = start(order, "BANK_TRANSFER")
    with transaction.atomic():
        expire_order(order=lock_order(order.pk), now=clock.now())
    say(charge, "RECEIVED", 50_025, trace_code="T-77")
    return UnmatchedFunds.objects.get()


def shown(console: Console, funds: UnmatchedFunds) -> str:
    return console.page(f"{PAGE}_change", funds.pk).content.decode()


def test_open_unmatched_funds_offer_all_their_actions(
    console: Console, funds: UnmatchedFunds
) -> None:
    listed = console.page(f"{PAGE}_changelist", q="T-77").content.decode()
    assert funds.pk in listed
    page = shown(console, funds)
    assert all(f"/{name}" in page for name in ACTS)


def test_operator_credits_unmatched_funds_once(
    console: Console, funds: UnmatchedFunds, merchant: Merchant
) -> None:
    assert console.submit(f"{PAGE}_credit", funds.pk).status_code == 302
    assert available(merchant) == 50_025
    act = AuditEntry.objects.get(action="unmatched.credited")
    assert (act.actor, act.reason) == ("ana", REASON)
    assert "/give_back" not in shown(console, funds)
    assert console.submit(f"{PAGE}_give_back", funds.pk, proof="slip 9").status_code == 400
    order = console.page("collect_order_change", funds.order_id).content.decode()
    assert url("collect_unmatchedfunds_change", funds.pk) in order


def test_operator_applies_unmatched_funds_to_an_order(
    console: Console, funds: UnmatchedFunds, api: ApiClient
) -> None:
    order = create(api, reference="MESA-9")
    assert console.submit(f"{PAGE}_apply_to", funds.pk, order="nowhere").status_code == 400
    assert console.submit(f"{PAGE}_apply_to", funds.pk, order="MESA-9").status_code == 302
    assert status_of(order) == "COMPLETED"
    assert order.pk in shown(console, funds)
    assert funds.pk in console.page("collect_order_change", order.pk).content.decode()


def test_open_orders_of_the_same_sum_or_payer_are_proposed(
    console: Console, funds: UnmatchedFunds, api: ApiClient
) -> None:
    payer = funds.order.customer_doc_number
    same_sum = create(api, reference="MESA-1", amount=50_000, customerDocNumber="99")
    same_payer = create(api, reference="MESA-2", amount=70_000, customerDocNumber=payer)
    create(api, reference="MESA-3", amount=70_000, customerDocNumber="99")
    page = shown(console, funds)
    assert "MESA-3" not in page
    for order in (same_sum, same_payer):
        assert f"/apply_to/?order={order.pk}" in page
    form = console.page(f"{PAGE}_apply_to", funds.pk, order=same_sum.pk).content.decode()
    assert f'value="{same_sum.pk}"' in form
    assert console.submit(f"{PAGE}_apply_to", funds.pk, order=same_sum.pk).status_code == 302
    assert "MESA-2" not in shown(console, funds)


def test_return_of_unmatched_funds_needs_proof(console: Console, funds: UnmatchedFunds) -> None:
    assert console.submit(f"{PAGE}_give_back", funds.pk).status_code == 400
    assert console.submit(f"{PAGE}_give_back", funds.pk, proof="slip 9").status_code == 302
    assert "slip 9" in shown(console, funds)


@pytest.mark.parametrize("act", ACTS)
def test_a_clerk_only_looks(clerk: Console, funds: UnmatchedFunds, act: str, order: Any) -> None:
    assert clerk.page(f"{PAGE}_change", funds.pk).status_code == 200
    assert clerk.submit(f"{PAGE}_{act}", funds.pk, order=order.pk, proof="x9x").status_code == 403
    funds.refresh_from_db()
    assert funds.status == "OPEN"
    assert Order.objects.get(pk=order.pk).status == "PENDING"


def test_nothing_is_done_without_a_reason(console: Console, funds: UnmatchedFunds) -> None:
    assert console.submit(f"{PAGE}_credit", funds.pk, reason="").status_code == 400
    funds.refresh_from_db()
    assert funds.status == "OPEN"
