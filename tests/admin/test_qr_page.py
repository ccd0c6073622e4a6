"""The console's page that reads a Bre-B QR code."""

from collections.abc import Iterator

import pytest

from merchants.models import Merchant
from payments.console.roles import FINANCE, VIEWER
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from payments.providers.breb_qr.checksum import sealed
from payments.providers.breb_qr.refusals import MESSAGES, Reason
from payments.rails.models import KeyCheck
from tests.admin.conftest import Console, person, url
from tests.providers.breb_qr.samples import WITH_AMOUNT, static, tlv
from tests.rails.accounts import route, wompi_payouts
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = pytest.mark.django_db
PAGE = "payout_payout_read_qr"
PHONE_CODE = static(key=tlv("02", "+573001010101"))
IS_RIGHT = "The text is whole: its checksum is right. It does not prove who made it."
HOLDER = "Holder of the key, as the rail masks it"
ASK = "Ask who holds the key"


def read(browser: Console, text: str, **more: str) -> str:
    return browser.post(url(PAGE), {"qr": text, **more}).content.decode()


def test_list_of_payouts_leads_to_it(console: Console) -> None:
    assert url(PAGE) in console.page("payout_payout_changelist").content.decode()


def test_it_says_what_a_code_says(console: Console) -> None:
    page = read(console, f" {WITH_AMOUNT}\r\n")

    for text in ("@EJEMPLO123", "TIENDA EJEMPLO", "110111 BOGOTA", "15.000", "POS1"):
        assert text in page
    assert said(IS_RIGHT) in page
    assert said("static: for many payments") in page
    assert not Payout.objects.exists()


def test_a_wrong_text_is_refused_with_the_reason(console: Console) -> None:
    answer = console.post(url(PAGE), {"qr": WITH_AMOUNT.replace("TIENDA", "TIENDO")})

    assert answer.status_code == 400
    page = answer.content.decode()
    assert said(MESSAGES[Reason.BAD_CRC]) in page
    assert said(IS_RIGHT) not in page


def test_nothing_typed_is_refused(console: Console) -> None:
    assert console.post(url(PAGE), {"qr": ""}).status_code == 400


def test_markup_in_a_name_is_text(console: Console) -> None:
    page = read(console, static(name=tlv("59", "<b>TIENDA</b>")))

    assert "&lt;b&gt;TIENDA&lt;/b&gt;" in page
    assert "<b>TIENDA" not in page


def test_a_code_that_no_payout_can_use_is_shown_with_the_reason(console: Console) -> None:
    page = read(console, sealed(static()[:-8].replace("LLA", "XYZ")))

    assert "TIENDA EJEMPLO" in page
    assert said(MESSAGES[Reason.NO_KEY]) in page
    assert said(ASK) not in page


def test_a_dynamic_code_and_a_tip_are_warned_about(console: Console) -> None:
    page = read(console, static(tlv("55", "02") + tlv("56", "500"), method=tlv("01", "12")))

    warning = "A payout to this key may not be connected with the purchase at the shop."
    assert said(warning) in page
    assert said("The code adds a tip to the amount.") in page


class TestHolder:
    @pytest.fixture(autouse=True)
    def _rail(self, merchant: Merchant) -> Iterator[None]:
        with wompi_payouts(settle_seconds=None):
            route("payout", "wompi-payouts-main")
            yield

    def test_operators_who_may_ask_the_rail_see_the_holder(self, db: None) -> None:
        finance = person("inés", FINANCE)
        text = static(key=tlv("04", "@elias123"))
        assert said(ASK) in read(finance, text)
        assert not AuditEntry.objects.filter(action="key.looked_up").exists()

        page = read(finance, text, ask="1")

        row = AuditEntry.objects.get(action="key.looked_up")
        assert row.actor == "inés"
        assert row.details["result"] == KeyCheck.Result.FOUND
        assert "@elias123" not in str(row.details)
        assert said(HOLDER) in page
        assert not KeyCheck.objects.exists()

    def test_others_do_not(self, db: None) -> None:
        page = read(person("vera", VIEWER), PHONE_CODE, ask="1")

        assert "3001010101" in page
        assert said(HOLDER) not in page
        assert said(ASK) not in page
        assert not AuditEntry.objects.filter(action="key.looked_up").exists()

    def test_people_of_merchants_read_codes_and_no_holders(
        self, merchant: Merchant, console: Console
    ) -> None:
        browser = browser_of(person_of(merchant, "dora"))

        page = read(browser, PHONE_CODE, ask="1")

        assert "3001010101" in page
        assert said(HOLDER) not in page


def test_a_person_without_a_right_is_refused(db: None) -> None:
    browser = person("nadia")

    assert browser.post(url(PAGE), {"qr": WITH_AMOUNT}).status_code in (302, 403)
