"""Legal data of merchants: who gives them, what is refused, where they are shown."""

from typing import Any

import pytest
from django.test import Client

from merchants.legal import tax_ids
from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.collect.models import Receipt
from payments.console import roles
from payments.core.models import AuditEntry
from tests.admin.conftest import Console, person
from tests.support.charges import create, start
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db
GIVEN = {
    "legal_name": "Café Andino S.A.S.",
    "nit": "890.903.938-8",
    "address": "Calle 10 # 43-25",
    "city": "Medellín",
    "contact_email": "hola@cafe.example",
    "contact_phone": "604 555 1234",
    "data_policy_url": "https://cafe.example/datos",
}


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    """Café Andino's administrator, who has just given the password."""
    return browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


@pytest.fixture
def legal(merchant: Merchant) -> LegalData:
    return LegalData.objects.create(merchant=merchant, **{**GIVEN, "nit": "890903938"})


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("890903938-8", "890903938"),
        ("NIT 890.903.938-8", "890903938"),
        ("890903938", "890903938"),
        ("8909039388", "890903938"),
        ("860 034 313 – 7", "860034313"),
        ("79123456", "79123456"),
        ("1020304050", "1020304050"),
    ],
)
def test_a_nit_is_read_as_people_write_it(typed: str, number: str) -> None:
    assert tax_ids.parse(typed) == number


def test_a_wrong_check_digit_is_refused_with_the_right_one() -> None:
    with pytest.raises(tax_ids.NotANit) as refused:
        tax_ids.parse("890903938-1")
    assert refused.value.digit == "8"
    for typed in ("", "12345", "abc", "0890903938", "12345678901", "890903938-"):
        with pytest.raises(tax_ids.NotANit):
            tax_ids.parse(typed)


def test_an_administrator_of_the_merchant_gives_them(boss: Console, merchant: Merchant) -> None:
    done = boss.submit("merchants_merchant_set_legal_data", merchant.pk, **GIVEN)
    assert done.status_code == 302
    row = LegalData.objects.get(merchant=merchant)
    assert (row.nit, row.nit_shown) == ("890903938", "890.903.938-8")
    entry = AuditEntry.objects.get(action="merchant.legal_data")
    assert (entry.actor, entry.details["new"]["nit"]) == ("gabriel", "890903938")
    page = boss.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "890.903.938-8" in page
    again = boss.page("merchants_merchant_set_legal_data", merchant.pk).content.decode()
    assert 'value="890.903.938-8"' in again


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("nit", "890903938-1", " 8."),
        ("nit", "hello", "900.123.456-8"),
        ("legal_name", "", ""),
        ("contact_email", "no", ""),
        ("contact_phone", "12", "3001234567"),
        ("data_policy_url", "http://cafe.example", "https://"),
        ("data_policy_url", "javascript:alert(1)", "https://"),
    ],
)
def test_a_wrong_value_is_refused(
    boss: Console, merchant: Merchant, field: str, value: str, said: str
) -> None:
    form = {**GIVEN, field: value}
    refused = boss.submit("merchants_merchant_set_legal_data", merchant.pk, **form)
    assert refused.status_code == 400
    assert said in refused.content.decode()
    assert not LegalData.objects.exists()


def test_others_may_not_change_them(merchant: Merchant, stranger: Merchant) -> None:
    staff = browser_of(person_of(merchant, "lucia"))
    other = browser_of(person_of(stranger, "oscar", roles.MERCHANT_ADMINISTRATOR))
    viewer = person("vera", roles.VIEWER)
    for browser, status in ((staff, 403), (other, 404), (viewer, 403)):
        page = browser.page("merchants_merchant_set_legal_data", merchant.pk)
        assert page.status_code in (status, 403), status


def test_payers_see_whom_they_pay(api: ApiClient, legal: LegalData) -> None:
    order = create(api)
    page = Client().get(f"/pay/{order.token}").content.decode()
    for shown in ("Café Andino S.A.S.", "890.903.938-8", "hola@cafe.example", "Medellín"):
        assert shown in page, shown
    assert 'href="https://cafe.example/datos"' in page


def test_receipt_and_its_check_name_the_nit(api: ApiClient, legal: LegalData) -> None:
    order = paid(api)
    page = Client().get(f"/pay/{order.token}").content.decode()
    assert page.count("890.903.938-8") == 1
    code = Receipt.objects.get(order=order).code
    assert "890.903.938-8" in Client().get(f"/verify/{code}", follow=True).content.decode()


def test_pages_of_a_merchant_without_legal_data_have_no_gap(api: ApiClient) -> None:
    order: Any = create(api)
    page = Client().get(f"/pay/{order.token}").content.decode()
    assert "NIT" not in page.partition("<footer")[2]
    assert 'class="legal"' not in page


def test_the_bank_shows_who_is_paid(api: ApiClient, legal: LegalData) -> None:
    charge = start(create(api))
    page = Client().get(charge.redirect_url.removeprefix("http://testserver")).content.decode()
    assert legal.legal_name in page
    assert legal.nit_shown in page
