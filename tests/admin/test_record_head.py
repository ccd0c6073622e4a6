"""Pages of what follows an order begin with its merchant and its reference, as orders do."""

import re

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge
from tests.admin.conftest import Console
from tests.support import disputes
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import asked, paid

pytestmark = pytest.mark.django_db


def head_of(browser: Console, name: str, pk: object) -> str:
    page = browser.page(name, pk).content.decode()
    found = re.search(r'<section class="shell-head".*?</section>', page, re.DOTALL)
    assert found, name
    return found[0]


def test_head_names_merchant_and_reference(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    order = paid(api, reference="PEDIDO-7041")
    records = {
        "collect_order": order.pk,
        "collect_charge": Charge.objects.get(order=order).pk,
        "collect_refund": asked(api, order, amount=1_000).pk,
        "collect_dispute": disputes.tell(order).pk,
    }
    person = browser_of(person_of(merchant, "lucia"))
    for browser in (console, person):
        for name, pk in records.items():
            head = head_of(browser, f"{name}_change", pk)
            assert "PEDIDO-7041" in head, name
            assert merchant.name in head, name
            assert str(pk) in head, name
