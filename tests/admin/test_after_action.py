"""What the console says after an action."""

from decimal import Decimal

import pytest
from django.utils.translation import override

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.console.actions import ConfirmedAction, said
from payments.console.formatting import amount
from payments.console.roles import MERCHANT_ADMINISTRATOR
from tests.admin.conftest import Console, credit
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db
CLOSE = ConfirmedAction(verb="close", title="Close batch", explanation="", submit="Close")


def test_action_without_a_sentence_of_its_own_names_itself_and_the_record() -> None:
    with override("en"):
        assert said(CLOSE, "batch 7") == "Ready. Close batch: batch 7."
        assert said(CLOSE) == "Ready. Close batch."


def test_the_record_has_the_name_that_people_know(merchant: Merchant) -> None:
    with override("en"):
        order = Order(reference="PEDIDO-7", merchant=merchant)
        assert said(CLOSE, order) == "Ready. Close batch: PEDIDO-7."
        nameless = Refund(order=order)
        assert said(CLOSE, nameless) == "Ready. Close batch."


def test_person_of_a_merchant_reads_what_they_asked_for(
    api: ApiClient, merchant: Merchant, catalogues: None
) -> None:
    credit(merchant)
    bought = paid(api, reference="PEDIDO-7", amount=200_000)
    lucia = browser_of(person_of(merchant, "lucia", MERCHANT_ADMINISTRATOR))
    form = {"amount": "40000", "checked": "1"}
    done = lucia.submit("collect_order_refund_order", bought.pk, **form)
    page = lucia.get(done.headers["Location"], HTTP_ACCEPT_LANGUAGE="en")
    (message,) = [str(each) for each in page.context["messages"]]
    assert "PEDIDO-7" in message
    with override("es"):
        assert amount(Decimal(40_000), "COP") in message
    assert bought.pk not in message


def test_person_who_deactivates_a_merchant_reads_which_one(
    console: Console, merchant: Merchant
) -> None:
    done = console.submit("merchants_merchant_deactivate", merchant.pk)
    page = console.get(done.headers["Location"])
    (message,) = [str(each) for each in page.context["messages"]]
    assert message.endswith(f"{merchant.name}.")
    assert not message.startswith(("Done:", "Hecho:"))
