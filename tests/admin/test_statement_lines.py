"""The statement for people: one line for each operation, with names, fees and the balance."""

import base64
import csv
import hashlib
import io
import re
import zipfile
from decimal import Decimal
from html import unescape
from typing import Any

import pytest

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import formatting, roles
from payments.core import clock, money
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.settlement import days
from payments.settlement.days import Period
from payments.settlement.services.operations import operations
from payments.settlement.services.statements import make_statement
from tests.admin.conftest import Console, credit, person, send, url
from tests.support.factories import MerchantFactory, payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import approve, asked, paid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


def today() -> Any:
    return days.day_of(clock.now())


def statement_of(merchant: Merchant) -> Any:
    return make_statement(
        merchant_id=merchant.pk,
        currency="COPM",
        period=Period(today(), today()),
        now=clock.now(),
    )


def period(merchant: Merchant, **changes: Any) -> dict[str, Any]:
    days_of = {"first": today(), "last": today()}
    return {"merchant": merchant.pk, "currency": "COPM", "form": "lines", **days_of, **changes}


@pytest.fixture
def day(api: ApiClient, merchant: Merchant, catalogues: None) -> Merchant:
    """Money, a payment, a payout that arrived and one that failed."""
    credit(merchant)
    bought = paid(api, reference="MESA-7", amount=200_000)
    arrived = send(api, payout_body(amount=100_000))
    api.post(f"/sandbox/payout/{arrived.pk}", {"status": "COMPLETED"})
    failed = send(api, payout_body(amount=50_000))
    api.post(f"/sandbox/payout/{failed.pk}", {"status": "FAILED"})
    approve(asked(api, bought, amount=1000))
    engine.process_due(now=clock.now())
    return merchant


def test_each_operation_is_one_line_and_the_balance_follows(day: Merchant) -> None:
    statement = statement_of(day)
    lines = list(operations(statement))
    assert sum(line.net for line in lines) == statement.closing.total - statement.opening.total
    balance = statement.opening.total
    for line in lines:
        assert line.gross - line.fee == line.net
        balance += line.net
        assert line.balance == balance
    kinds = [line.kind for line in lines]
    assert kinds.count("payout_completed") == 1
    assert "payout_reserved" not in kinds
    assert len({line.subject_id for line in lines}) == len(lines)


def test_lines_have_the_merchants_reference_the_other_party_and_the_fee(day: Merchant) -> None:
    lines = {line.kind: line for line in operations(statement_of(day))}
    bought, sent = lines["collect_settled"], lines["payout_completed"]
    assert (bought.facts.reference, bought.facts.party) == ("MESA-7", "María Fernanda Ñáñez")
    assert (bought.gross, bought.fee) == (Decimal(200_100), Decimal(100))
    # What the beneficiary reads is no reference of the merchant.
    assert (sent.facts.reference, sent.facts.party) == ("", "Juan Pérez")
    assert (sent.gross, sent.fee, sent.net) == (
        Decimal(-100_000),
        Decimal(2500),
        Decimal(-102_500),
    )
    assert sent.facts.detail == "Bancolombia ···8901 · Nómina"


def test_operators_without_the_right_see_masked_names(console: Console, day: Merchant) -> None:
    address = url("settlement_settlement_statement")
    assert "Juan Pérez" in console.get(address, period(day)).content.decode()
    masked = person("rosa", roles.VIEWER).get(address, period(day)).content.decode()
    assert "Juan Pérez" not in masked
    assert "J··· P···" in masked


def test_file_has_the_lines_of_the_page(console: Console, day: Merchant) -> None:
    address = url("settlement_settlement_statement")
    made = console.get(address, period(day, form="lines-csv"))
    text = b"".join(made.streaming_content).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == 3 + len(list(operations(statement_of(day))))
    sent = next(row for row in rows if row[1] == "Payout")
    assert {row[9] for row in rows[1:]} == {"COP"}
    assert sent[2:9] == [
        *("", "Juan Pérez", "Bancolombia ···8901 · Nómina"),
        *("-100000", "2500", "-102500", sent[8]),
    ]
    excel = console.get(address, period(day, form="lines-xlsx"))
    book = zipfile.ZipFile(io.BytesIO(b"".join(excel.streaming_content)))
    assert "Nómina" in book.read("xl/worksheets/sheet1.xml").decode()


def test_page_runs_the_print_button_alone_and_loads_nothing(
    console: Console, day: Merchant
) -> None:
    page = console.get(url("settlement_settlement_statement"), period(day))
    policy, html = page.headers["Content-Security-Policy"], page.content.decode()
    assert policy.startswith("default-src 'none'")
    (script,) = re.findall("<script>(.*?)</script>", html)
    made = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.endswith(f"script-src 'sha256-{made}'")
    assert html.count("<script") == 1


def test_page_leads_back_and_to_its_files(console: Console, day: Merchant) -> None:
    html = console.get(url("settlement_settlement_statement"), period(day)).content.decode()
    bar = re.search('<nav class="bar".*?</nav>', html, re.DOTALL)
    assert bar is not None
    back, *files = (unescape(each) for each in re.findall('href="(.*?)"', bar[0]))
    assert back == url("settlement_settlement_changelist")
    assert [file.rpartition("form=")[2].partition("&")[0] for file in files] == [
        "lines-csv",
        "lines-xlsx",
    ]
    for file in files:
        assert console.get(file).headers["Content-Disposition"].startswith("attachment")
    assert ".bar { display: none; }" in html


def test_payout_with_a_reference_has_it_in_its_line(day: Merchant) -> None:
    Payout.objects.filter(description="Nómina").update(reference="N-01")
    sent = {line.kind: line for line in operations(statement_of(day))}["payout_completed"]
    assert sent.facts.reference == "N-01"


def test_form_picks_the_merchant_and_the_days(console: Console, merchant: Merchant) -> None:
    MerchantFactory(name="Otra Tienda")
    html = console.page("settlement_settlement_period").content.decode()
    assert f'<option value="{merchant.pk}"' in html
    assert html.count('type="date"') == 2
    assert f'value="{today()}"' in html


def test_people_of_a_merchant_pick_their_own_only(merchant: Merchant) -> None:
    other = MerchantFactory(name="Otra Tienda")
    lucia = browser_of(person_of(merchant, "lucia"))
    html = lucia.page("settlement_settlement_period", merchant=other.pk).content.decode()
    assert other.pk not in html
    assert "Otra Tienda" not in html
    refused = lucia.get(url("settlement_settlement_statement"), period(other))
    assert refused.status_code == 302


def test_page_names_who_issued_it_whose_it_is_and_days_as_people_write_them(
    console: Console, day: Merchant
) -> None:
    legal = LegalData.objects.create(merchant=day, legal_name="Andino SAS", nit="890903938")
    html = console.get(url("settlement_settlement_statement"), period(day)).content.decode()
    assert legal.legal_name in html
    assert f"NIT {legal.nit_shown}" in html
    assert "Issued by Pasarela" in html
    assert formatting.day(today()) in html
    assert f"{today():%Y-%m-%d}" not in html.partition("<header>")[2]


def test_play_money_is_a_line_of_its_own_and_not_in_the_sums(
    console: Console, day: Merchant
) -> None:
    page = console.get(url("settlement_settlement_statement"), period(day))
    lines = list(operations(statement_of(day)))
    earned = sum(line.gross for line in lines if line.kind != "sandbox_credited")
    given = sum(line.net for line in lines if line.kind == "sandbox_credited")
    assert given > 0
    assert page.context["sums"]["gross"] == money.digits(earned, "COP")
    assert page.context["play_money"] == money.digits(given, "COP")
    assert "not in the sum" in page.content.decode()


def test_address_without_a_period_leads_to_the_form(console: Console) -> None:
    response = console.get(url("settlement_settlement_statement"))
    assert response.status_code == 302
    assert response["Location"] == url("settlement_settlement_period")
