"""Pages of what follows an order begin with its merchant and its reference, as orders do."""

import re

import pytest
from django.utils.html import strip_tags
from django.utils.text import capfirst

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from tests.admin.conftest import Console, url
from tests.support import disputes
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of, said
from tests.support.refunds import asked, paid
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db


def head_of(browser: Console, name: str, pk: object) -> str:
    page = browser.page(name, pk).content.decode()
    found = re.search(r'<section class="shell-head".*?</section>', page, re.DOTALL)
    assert found, name
    return found[0]


def facts_of(page: str) -> dict[str, str]:
    """The facts below the head: {label: value}."""
    cells = re.findall(r"<label[^>]*>(.*?)</label>.*?readonly[^>]*>(.*?)</div>", page, re.DOTALL)
    return {strip_tags(name).strip().rstrip(":"): strip_tags(shown) for name, shown in cells}


def test_head_names_merchant_and_reference_to_operators(
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
    for name, pk in records.items():
        head = head_of(console, f"{name}_change", pk)
        assert "PEDIDO-7041" in head, name
        assert merchant.name in head, name
        assert str(pk) in head, name
        own = head_of(person, f"{name}_change", pk)
        assert "PEDIDO-7041" in own, name
        assert merchant.name not in own, name
        assert str(pk) not in own, name
        page = person.page(f"{name}_change", pk).content.decode()
        folded = page.partition("shell-technical")[2].partition("</details>")[0]
        assert str(pk) in folded, name


def test_facts_do_not_repeat_the_head(console: Console, api: ApiClient) -> None:
    order = paid(api, reference="PEDIDO-7041")
    page = console.page("collect_order_change", order.pk).content.decode()
    assert page.count('class="shell-whole">PEDIDO-7041') == 1
    assert capfirst(said("created at")) not in facts_of(page)
    assert '">PEDIDO-7041</span>' in page.partition('class="shell-title"')[2][:80]


def test_order_says_what_was_paid_what_the_fee_is_and_what_remains(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    order = paid(api)
    asked(api, order, amount=50_000)
    person = browser_of(person_of(merchant, "lucia"))
    for browser, receives in ((console, "the merchant receives"), (person, "you receive")):
        page = browser.page("collect_order_change", order.pk).content.decode()
        facts = facts_of(page)
        assert facts[capfirst(said("the payer pays"))] == "50.025 COP"
        assert facts[capfirst(said("fee"))] == "25 COP"
        assert facts[capfirst(said(receives))] == "50.000 COP"
        head = head_of(browser, "collect_order_change", order.pk)
        assert said("Refund under way: %s") % "50.000 COP" in head


def test_order_with_a_webhook_that_failed_is_not_done(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    order = paid(api)
    delivery = Delivery.objects.filter(event__subject_id=order.pk).latest("id")
    Delivery.objects.filter(pk=delivery.pk).update(attempts=1)
    for browser in (console, browser_of(person_of(merchant, "lucia"))):
        page = browser.page("collect_order_change", order.pk).content.decode()
        box = page.partition('<section class="desk-step')[2].partition("</section>")[0]
        assert said("A webhook has not arrived yet") in box
        assert said("Nothing to do") not in box


def test_page_of_a_merchant_begins_with_its_name_and_state(
    console: Console, merchant: Merchant
) -> None:
    for browser in (console, browser_of(person_of(merchant, "lucia"))):
        head = head_of(browser, "merchants_merchant_change", merchant.pk)
        assert merchant.name in head
        assert merchant.pk in head


def test_reason_of_a_change_is_folded_away_until_it_is_needed(
    console: Console, merchant: Merchant
) -> None:
    html = console.page("merchants_merchant_change", merchant.pk).content.decode()
    before = html.partition('name="reason"')[0]
    assert before.rpartition("<details>")[2].count("</details>") == 0
    wrong = console.post(url("merchants_merchant_change", merchant.pk), {"name": "Otro"})
    folded = wrong.content.decode().partition('name="reason"')[0].rpartition("<fieldset")[2]
    assert "<details>" not in folded


def test_merchant_without_people_says_so_instead_of_an_empty_table(
    console: Console, merchant: Merchant
) -> None:
    html = console.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "shell-inline-none" in html
    person_of(merchant, "lucia")
    assert (
        "shell-inline-none"
        not in console.page("merchants_merchant_change", merchant.pk)
        .content.decode()
        .partition("memberships-group")[2]
        .partition("</fieldset>")[0]
    )


def header_of(browser: Console, name: str, *args: object) -> str:
    page = browser.page(name, *args).content.decode()
    return page.partition('<ul class="shell-actions"')[2].partition("</header>")[0]


def test_button_of_the_next_step_is_not_beside_the_title_again(
    console: Console, api: ApiClient
) -> None:
    refund = asked(api, paid(api), amount=1_000)
    page = console.page("collect_refund_change", refund.pk).content.decode()
    approve = url("collect_refund_approve", refund.pk)
    assert page.count(f'"{approve}"') == 1
    assert approve not in header_of(console, "collect_refund_change", refund.pk)


def test_dangerous_act_is_in_the_menu_and_the_main_act_beside_the_title(
    console: Console, order: Order
) -> None:
    header = header_of(console, "collect_order_change", order.pk)
    shown, menu = header.split('class="shell-more-box"')
    cancel = url("collect_order_cancel_order", order.pk)
    assert cancel in menu
    assert cancel not in shown
    listed = header_of(console, "links_paymentlink_changelist")
    assert url("links_paymentlink_new_link") in listed.partition("shell-more")[0]
