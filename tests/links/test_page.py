"""The payer's page of a link, without JavaScript."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import clock
from payments.links.models import PaymentLink
from payments.links.services import links
from payments.links.services.availability import figures
from tests.links.conftest import MakeLink, pay
from tests.support.charges import create
from tests.support.fixtures import ApiClient
from tests.support.legal_data import give_legal_data

pytestmark = pytest.mark.django_db
BROWSER = "Mozilla/5.0 (Linux; Android 14) Chrome/131 Mobile Safari/537.36"
FILLED = {"name": "María Gómez", "email": "maria@example.com", "consent": "on"}


@pytest.fixture
def payer() -> Client:
    return Client(headers={"User-Agent": BROWSER, "Accept-Language": "es-CO"})


def text(response: HttpResponse) -> str:
    return response.content.decode()


def key_of(page: HttpResponse) -> str:
    found = re.search(r'name="form_key" value="([^"]+)"', text(page))
    assert found
    return found[1]


def send(payer: Client, link: PaymentLink, **changes: Any) -> HttpResponse:
    key = changes.pop("form_key", None) or key_of(payer.get(link.path))
    return payer.post(link.path, {**FILLED, "form_key": key, **changes})


def test_payer_pays_with_a_link_and_needs_no_account(payer: Client, make_link: MakeLink) -> None:
    link = make_link()
    page = payer.get(link.path)
    assert "Café de Nariño, 2 libras" in text(page)
    assert "$ 50.025 COP" in text(page)
    sent = send(payer, link, form_key=key_of(page))
    order = Order.objects.get(link_id=link.pk)
    assert (sent.status_code, sent.headers["Location"]) == (303, f"/pay/{order.token}")
    assert payer.get(sent.headers["Location"]).status_code == 200


def test_page_says_how_to_pay_and_why_it_asks_for_an_email(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link()
    shown = strip_tags(text(payer.get(link.path)))
    assert "Formas de pago: PSE, Transferencia bancaria, Botón de tu banco" in shown
    chosen = text(payer.get(send(payer, link).headers["Location"] + "/methods"))
    names = re.findall(r"<strong>([^<]+)</strong> <small>", chosen)
    assert len(names) == 6
    assert f"Formas de pago: {', '.join(names)}\n" in shown.replace(" \n", "\n")
    Merchant.objects.filter(pk=link.merchant_id).update(direct_api_enabled=False)
    shown = strip_tags(text(payer.get(link.path)))
    assert "Formas de pago: PSE, Transferencia bancaria, Criptomoneda" in shown
    assert "Desde el comprobante puedes pedir" in text(payer.get(link.path))
    Merchant.objects.filter(pk=link.merchant_id).update(methods=["PSE"], receipts_by_mail=True)
    page = text(payer.get(link.path))
    assert "Formas de pago: PSE\n" in strip_tags(page).replace(" \n", "\n")
    assert "Ahí te enviamos el comprobante." in page


@pytest.mark.parametrize(
    ("amounts", "is_offered"),
    [
        ({"amount": Decimal(2000)}, False),
        ({"amount": None, "max_amount": Decimal(3000)}, False),
        ({"amount": None}, True),
    ],
)
def test_page_leaves_out_a_method_that_takes_none_of_the_amounts(
    payer: Client, make_link: MakeLink, amounts: dict[str, Decimal | None], is_offered: bool
) -> None:
    page = strip_tags(text(payer.get(make_link(**amounts).path)))
    assert ("Botón de tu banco" in page) is is_offered  # from 5,000 pesos


def test_page_shows_what_is_missing_and_makes_no_order(payer: Client, make_link: MakeLink) -> None:
    link = make_link(ask_phone="REQUIRED", own_fields=[{"label": "Mesa", "required": True}])
    page = send(payer, link, name="", consent="", phone="1234")
    assert 'id="errors"' in text(page)
    for name in ("id_name", "id_phone", "id_own_0", "id_consent"):
        assert f'href="#{name}"' in text(page)
    assert not Order.objects.exists()


@pytest.mark.parametrize(
    ("typed", "amount"),
    [("50000", 50000), ("50.000", 50000), ("$ 50.000", 50000), ("1,250,000", 1250000)],
)
def test_payer_types_an_open_amount_as_people_write_it(
    payer: Client, make_link: MakeLink, typed: str, amount: int
) -> None:
    link = make_link(amount=None)
    assert send(payer, link, amount=typed).status_code == 303
    assert Order.objects.get(link_id=link.pk).base_amount == amount


@pytest.mark.parametrize("typed", ["", "500", "2000000", "12.50", "mil", "50.00.000", "-5000"])
def test_wrong_open_amount_is_refused_with_the_limits(
    payer: Client, make_link: MakeLink, typed: str
) -> None:
    link = make_link(amount=None, min_amount=Decimal(5000), max_amount=Decimal(1000000))
    assert 'href="#id_amount"' in text(send(payer, link, amount=typed))
    assert not Order.objects.exists()


def test_amount_of_a_refused_form_comes_back_grouped(payer: Client, make_link: MakeLink) -> None:
    link = make_link(amount=None)
    assert 'value="1.250.000"' in text(send(payer, link, amount="1250000", name=""))
    assert 'value="mil"' in text(send(payer, link, amount="mil", name=""))


def test_what_is_left_of_the_stock_is_told_without_what_others_are_paying(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link(stock=5)
    pay(link)
    assert "Only 4 left." in text(payer.get(link.path + "?lang=en"))


def test_link_that_asks_nothing_needs_no_consent(payer: Client, make_link: MakeLink) -> None:
    link = make_link(ask_name="NONE", ask_email="NONE")
    assert "consent" not in text(payer.get(link.path))
    sent = payer.post(link.path, {"form_key": "k"})
    assert payer.get(sent.headers["Location"]).status_code == 200


BANK = {"bank": "1007", "person_type": "NATURAL", "document_type": "CC", "phone": "3105551234"}


def test_payer_who_authorised_us_on_the_link_ticks_no_second_box(
    payer: Client, make_link: MakeLink
) -> None:
    filled = {**BANK, "document_number": "1020304050", **FILLED, "consent": ""}
    path = send(payer, make_link()).headers["Location"]
    assert 'name="consent"' not in text(payer.get(f"{path}/pse"))
    assert 'name="consent"' not in text(payer.get(f"{path}/with/push_wallet"))
    other = payer.post(f"{path}/pse", {**filled, "name": "Ana Ruiz"})
    assert 'href="#id_consent"' in text(other)  # who authorises nothing by the tick of María
    assert payer.post(f"{path}/pse", {**filled, "name": "MARÍA GÓMEZ"}).status_code == 303


def test_payer_whom_the_link_asked_nothing_ticks_the_box_of_pse(
    payer: Client, make_link: MakeLink
) -> None:
    payer.get((link := make_link(ask_name="NONE", ask_email="NONE")).path)
    path = payer.post(link.path, {"form_key": "k"}).headers["Location"]
    assert 'name="consent"' in text(payer.get(f"{path}/pse"))
    wrong = payer.post(f"{path}/pse", {**BANK, "document_number": "1020304050", "name": "Ana"})
    assert 'href="#id_consent"' in text(wrong)


def test_optional_document_may_be_left_out_and_is_checked_when_given(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link(ask_document="OPTIONAL")
    wrong = send(payer, link, document_type="CC", document_number="12")
    assert 'href="#id_document_number"' in text(wrong)
    assert send(payer, link, document_type="", document_number="").status_code == 303
    right = send(payer, link, document_type="CC", document_number="1.020.304.050")
    assert right.status_code == 303


def test_nit_with_a_wrong_check_digit_is_asked_about_once(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link(ask_document="REQUIRED")
    company = {"document_type": "NIT", "document_number": "8909039387"}
    page = text(send(payer, link, **company))
    assert "890.903.938-8" in page
    assert 'name="nit_kept" value="8909039387"' in page
    assert send(payer, link, **company, nit_kept="8909039387").status_code == 303


def test_second_visit_of_a_browser_does_not_count_and_previews_never(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link()
    for _each in range(3):
        payer.get(link.path)
    Client(headers={"User-Agent": "WhatsApp/2.24"}).get(link.path)
    assert figures(link).visits == 1


def test_same_click_twice_makes_one_order(payer: Client, make_link: MakeLink) -> None:
    link = make_link()
    key = key_of(payer.get(link.path))
    first, second = (send(payer, link, form_key=key) for _each in range(2))
    assert first.headers["Location"] == second.headers["Location"]


def test_payer_who_goes_back_and_mends_the_form_keeps_the_only_use(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link(max_uses=1)
    key = key_of(payer.get(link.path))
    send(payer, link, form_key=key)
    mended = send(payer, link, form_key=key, name="María Gómez Ñáñez")
    assert mended.status_code == 303
    orders = Order.objects.filter(link_id=link.pk).order_by("created_at")
    assert [order.cancelled_at is None for order in orders] == [False, True]


def test_payer_who_comes_back_is_led_to_the_payment_that_was_begun(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link(max_uses=1)
    begun = send(payer, link).headers["Location"]
    assert f'href="{begun}"' in text(payer.get(link.path))
    other = Client(headers={"User-Agent": BROWSER}).get(link.path)
    assert begun not in text(other)


@pytest.mark.parametrize("max_uses", [None, 1])
def test_payer_changes_the_amount_and_finds_the_rest_as_it_was(
    payer: Client, make_link: MakeLink, max_uses: int | None
) -> None:
    link = make_link(
        amount=None,
        max_uses=max_uses,
        ask_document="REQUIRED",
        own_fields=[{"label": "Talla", "required": True}],
    )
    document = {"document_type": "CC", "document_number": "1020304050"}
    sent = send(payer, link, amount="75.000", own_0="M azul", **document)
    methods = text(payer.get(sent.headers["Location"]))
    assert f'href="/l/of/{link.pk}"' in methods
    assert "M azul" in methods
    form = text(payer.get(f"/l/of/{link.pk}", follow=True))
    for value in ("75.000", "María Gómez", "maria@example.com", "1020304050", "M azul"):
        assert f'value="{value}"' in form, value
    assert '<option value="CC" selected>' in form
    other = text(Client(headers={"User-Agent": BROWSER}).get(link.path))
    assert "M azul" not in other
    changed = send(payer, link, amount="80.000", own_0="M azul", **document)
    assert changed.headers["Location"] != sent.headers["Location"]
    first, second = Order.objects.filter(link_id=link.pk).order_by("created_at")
    assert (first.status, second.base_amount) == ("EXPIRED", 80_000)


def test_answers_are_on_the_receipt_and_data_of_the_api_are_not(
    payer: Client, make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link(own_fields=[{"label": "Talla", "required": True}])
    send(payer, link, own_0="M azul")
    order = Order.objects.get(link_id=link.pk)
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    assert "M azul" in text(payer.get(f"/pay/{order.token}"))
    own = create(api, metadata={"Talla": "of the shop alone"})
    assert "of the shop alone" not in text(payer.get(f"/pay/{own.token}"))


def test_closed_link_says_why(payer: Client, make_link: MakeLink, api: ApiClient) -> None:
    link = make_link(stock=1)
    page = payer.get(link.path + "?lang=en")
    order = pay(link)
    assert "Others are paying right now" in text(payer.get(link.path))
    refused = send(payer, link, form_key=key_of(page))
    assert refused.status_code == 409
    assert "Nothing was charged." in text(refused)
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    give_legal_data(link.merchant)
    sold_out = text(payer.get(link.path))
    assert "Sold out" in sold_out
    assert "Nothing was charged." not in sold_out  # who paid reads it, too
    assert 'href="mailto:hola@cafe.example?subject=' in sold_out
    links.pause_link(link=link, actor="sofia", now=clock.now())
    assert "paused" in text(payer.get(link.path))


def test_expired_order_leads_back_to_its_link(
    payer: Client, make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link()
    order = pay(link)
    api.post(f"/sandbox/collect/{order.pk}", {"status": "EXPIRED"})
    page = text(payer.get(f"/pay/{order.token}"))
    assert f'href="/l/of/{link.pk}"' in page
    assert payer.get(f"/l/of/{link.pk}").headers["Location"] == link.path


def test_unknown_code_is_a_page_of_ours(payer: Client, db: None) -> None:
    for path in ("/l/nothing22", "/l/of/lnk_nothing"):
        page = payer.get(path)
        assert page.status_code == 404
        assert 'class="sheet single"' in text(page)


def test_one_address_makes_so_many_orders_a_minute(
    payer: Client, make_link: MakeLink, settings: Any
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "link_pay": "2/m"}
    link = make_link()
    assert [send(payer, link).status_code for _each in range(3)] == [303, 303, 429]


def test_qr_code_and_sheets_are_served(payer: Client, make_link: MakeLink) -> None:
    link = make_link()
    png, svg = payer.get(f"{link.path}/qr.png"), payer.get(f"{link.path}/qr.svg?download")
    assert png.content.startswith(b"\x89PNG")
    assert b"<svg" in svg.content
    assert svg.headers["Content-Disposition"].startswith("attachment")
    for kind, sides in (("a6", 1), ("tent", 2)):
        sheet = text(payer.get(f"{link.path}/print/{kind}"))
        assert sheet.count('class="qr"') == sides
        assert link.url in sheet


def test_page_escapes_what_the_merchant_and_the_payer_wrote(
    payer: Client, make_link: MakeLink
) -> None:
    script = "<script>alert(1)</script>"
    link = make_link(
        title=script, description=script, own_fields=[{"label": "<b>", "required": True}]
    )
    page = send(payer, link, own_0="", name=script)
    assert script not in text(page)
    assert "<b></label>" not in text(page)


def test_phone_of_the_payer_is_known_to_the_form_of_pse(
    payer: Client, make_link: MakeLink, merchant: Merchant
) -> None:
    link = make_link(ask_phone="REQUIRED")
    page = payer.get(send(payer, link, phone="300 123 4567").headers["Location"] + "/pse")
    assert 'value="3001234567"' in text(page)


def test_address_and_cookie_that_no_link_can_have_find_nothing(
    payer: Client, make_link: MakeLink
) -> None:
    link = make_link()
    for path in ("/l/abc%00defgh", f"/l/{link.code}%00", "/l/%C3%B1", "/l/of/lnk_%00"):
        assert payer.get(path).status_code == 404
    payer.cookies["link"] = "a\x00b"
    assert payer.get(link.path).status_code == 200
    assert payer.get(link.path.upper().replace("/L/", "/l/")).status_code == 200
