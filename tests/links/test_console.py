"""Links in the console: people of merchants make and share them, operators for any merchant."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from merchants.models import Merchant
from payments.collect.models import Order
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.links.models import PaymentLink
from tests.admin.conftest import Console, person
from tests.links.conftest import MakeLink, new_link, pay
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.image_bytes import png
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db
NEW = "/admin/links/paymentlink/new_link/"
FILLED = {
    "title": "Clase de salsa",
    "kind": "FIXED",
    "currency": "COP",
    "amount": "45.000",
    "ask_name": "REQUIRED",
    "ask_email": "REQUIRED",
    "ask_document": "NONE",
    "ask_phone": "OPTIONAL",
    "uses": "ANY",
}


@pytest.fixture
def sofia(merchant: Merchant) -> Console:
    """She works for Café Andino."""
    return browser_of(person_of(merchant, "sofia", roles.MERCHANT_STAFF))


def token(browser: Client, path: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', browser.get(path).content.decode())
    assert found
    return found[1]


def send(browser: Client, path: str = NEW, **changes: Any) -> Any:
    return browser.post(path, {**FILLED, "form_token": token(browser, path), **changes})


def page_of(link: PaymentLink, act: str = "change") -> str:
    return f"/admin/links/paymentlink/{link.pk.replace('_', '_5F')}/{act}/"


def test_person_of_a_merchant_makes_a_link_and_gets_what_shares_it(
    sofia: Console, merchant: Merchant
) -> None:
    answer = send(sofia, own_label_0="Talla", own_required_0="on")
    link = PaymentLink.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, page_of(link))
    assert (link.merchant, link.amount, link.created_by) == (merchant, 45000, "sofia")
    assert (link.ask_phone, link.own_fields) == (
        "OPTIONAL",
        [{"label": "Talla", "required": True}],
    )
    page = sofia.get(page_of(link)).content.decode()
    for part in (link.url, "https://wa.me/?text=", "mailto:?subject=", "/qr.png?download"):
        assert part in page
    for sheet in ("a6", "tent"):
        assert f"{link.path}/print/{sheet}" in page


def test_same_form_sent_twice_makes_one_link(sofia: Console) -> None:
    once = token(sofia, NEW)
    assert send(sofia, form_token=once).status_code == 302
    assert send(sofia, form_token=once).status_code == 400
    assert PaymentLink.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": ""}, "title"),
        ({"amount": ""}, "amount"),
        ({"amount": "500"}, "amount"),
        ({"amount": "mil"}, "amount"),
        ({"kind": "OPEN", "min_amount": "9.000", "max_amount": "5.000"}, "max_amount"),
        ({"uses": "SEVERAL"}, "max_uses"),
        ({"stock": "-1"}, "stock"),
        ({"expires_0": "01/01/2020", "expires_1": "10:00"}, "expires"),
        ({"expires_0": "31/02/2030"}, "expires"),
        ({"callback_url": "http://example.com"}, "callback_url"),
        ({"own_label_0": "Mesa", "own_label_1": "MESA"}, "own_label_0"),
    ],
)
def test_wrong_field_says_so_and_makes_no_link(
    sofia: Console, changes: dict[str, str], field: str
) -> None:
    answer = send(sofia, **changes)
    assert answer.status_code == 400
    assert field in answer.context["form"].errors
    assert not PaymentLink.objects.exists()


def test_open_amount_uses_and_expiry_are_kept_as_they_were_typed(sofia: Console) -> None:
    send(
        sofia,
        kind="OPEN",
        amount="",
        min_amount="5.000",
        uses="SEVERAL",
        max_uses="30",
        stock="12",
        expires_0="31/12/2099",
        expires_1="18:30",
    )
    link = PaymentLink.objects.get()
    assert (link.amount, link.min_amount, link.max_amount) == (None, 5000, None)
    assert (link.max_uses, link.stock) == (30, 12)
    assert link.expires_at is not None
    assert link.expires_at.isoformat() == "2099-12-31T23:30:00+00:00"


def test_link_expires_at_the_end_of_a_day_without_an_hour(sofia: Console) -> None:
    send(sofia, expires_0="31/12/2099")
    link = PaymentLink.objects.get()
    assert link.expires_at is not None
    assert link.expires_at.isoformat() == "2100-01-01T04:59:00+00:00"
    form = sofia.get(page_of(link, "edit_link")).content.decode()
    assert 'value="31/12/2099"' in form
    assert '<option value="23:59" selected>' in form


def test_hour_that_the_form_does_not_offer_stays(sofia: Console, make_link: MakeLink) -> None:
    make_link(expires_at=datetime(2099, 12, 31, 18, 47, tzinfo=UTC))
    form = sofia.get(page_of(PaymentLink.objects.get(), "edit_link")).content.decode()
    assert '<option value="13:47" selected>' in form


def test_question_with_a_default_is_no_field_to_fill_in(sofia: Console) -> None:
    """Only the title is marked; what is left out has the default."""
    form = sofia.get(NEW).content.decode()
    assert form.count('">*</span>') == 1
    once = token(sofia, NEW)
    sofia.post(NEW, {"title": "Clase", "amount": "45.000", "form_token": once})
    link = PaymentLink.objects.get()
    assert (link.ask_name, link.ask_document, link.max_uses) == ("REQUIRED", "NONE", None)


def test_image_is_kept_as_logos_are(sofia: Console) -> None:
    send(sofia, image_file=SimpleUploadedFile("photo.png", png(40, 40)))
    image = PaymentLink.objects.get().image
    assert image is not None
    assert sofia.get(image.url).headers["Content-Type"] == "image/png"
    assert send(sofia, image_file=SimpleUploadedFile("x.png", b"no")).status_code == 400


def test_link_is_changed_and_its_currency_and_kind_stay(
    sofia: Console, make_link: MakeLink
) -> None:
    link = make_link(expires_at=clock.now() + timedelta(days=2))
    send(
        sofia,
        page_of(link, "edit_link"),
        amount="60.000",
        expires_0="",
        expires_1="23:59",
        currency="USDC",
    )
    link.refresh_from_db()
    assert (link.title, link.amount, link.currency, link.expires_at) == (
        "Clase de salsa",
        60000,
        "COP",
        None,
    )
    assert AuditEntry.objects.filter(action="link.changed", actor="sofia").exists()


def test_link_is_paused_resumed_and_ended_with_a_reason(
    sofia: Console, make_link: MakeLink
) -> None:
    link = make_link()
    for act, status in (("pause_link", "PAUSED"), ("resume_link", "ACTIVE"), ("end_link", "ENDED")):
        path = page_of(link, act)
        sent = {"reason": "Closed for the holidays", "form_token": token(sofia, path)}
        assert sofia.post(path, sent).status_code == 302
        link.refresh_from_db()
        assert link.status == status
    page = sofia.get(page_of(link)).content.decode()
    assert "/edit_link/" not in page
    assert "wa.me" not in page


def test_list_and_page_have_orders_sums_and_conversion(
    sofia: Console, make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link()
    for _each in range(4):
        Client(headers={"User-Agent": "Mozilla/5.0 Firefox"}).get(link.path)
    paid, _open = pay(link), pay(link)
    api.post(f"/sandbox/collect/{paid.pk}", {"status": "COMPLETED"})
    rows = sofia.get("/admin/links/paymentlink/").content.decode()
    page = sofia.get(page_of(link)).content.decode()
    for part in ("1 de 2", "50.000 COP", "25 %"):
        assert part in rows
        assert part in page
    assert paid.reference in page


def test_orders_of_a_link_are_a_list_of_their_own(sofia: Console, make_link: MakeLink) -> None:
    link, other = make_link(), make_link()
    mine, another = pay(link), pay(other)
    to = sofia.get(page_of(link, "see_orders")).headers["Location"]
    found = sofia.get(to).content.decode()
    assert mine.reference in found
    assert another.reference not in found
    record = sofia.page("collect_order_change", mine.pk).content.decode()
    assert f'href="{page_of(link)}"' in record
    assert page_of(other) not in record


def test_person_of_another_merchant_sees_no_link_and_makes_none_for_it(
    merchant: Merchant, stranger: Merchant
) -> None:
    link = new_link(merchant)
    pedro = browser_of(person_of(stranger, "pedro"))
    for act in ("change", "edit_link", "pause_link", "end_link", "see_orders"):
        assert pedro.get(page_of(link, act)).status_code in (302, 404)
    assert link.title not in pedro.get("/admin/links/paymentlink/").content.decode()
    send(pedro, merchant=merchant.pk)
    assert PaymentLink.objects.exclude(pk=link.pk).get().merchant == stranger


def test_operator_makes_a_link_for_the_merchant_that_is_chosen(merchant: Merchant) -> None:
    MerchantFactory(name="Otra Tienda")
    browser = person("sara", roles.SUPPORT)
    assert send(browser).status_code == 400
    assert send(browser, merchant=merchant.pk).status_code == 302
    assert PaymentLink.objects.get().merchant == merchant


def test_operator_who_only_views_makes_no_link(merchant: Merchant) -> None:
    assert person("vera", roles.VIEWER).get(NEW).status_code == 403
    assert not Order.objects.exists()
