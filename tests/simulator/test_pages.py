"""The simulator's pages in a browser without JavaScript."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from payments.providers.ports import ChargeStatus, Known, Rail
from payments.simulator import control
from tests.simulator.conftest import RETURN_URL, TIMEOUT, charge


def opened(port, browser, rail=Rail.PSE, **changes):
    """Starts a charge and opens its page; returns the request and the page's path."""
    request = charge(rail, **changes)
    started = port.start(request, TIMEOUT)
    url = started.redirect_url or started.instructions["simulatorUrl"]
    path = url.removeprefix("http://testserver")
    assert browser.get(path).status_code == 200
    return request, path


def press(browser, path, **form):
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', browser.get(path).content.decode())
    return browser.post(path, {"csrfmiddlewaretoken": token[1] if token else "", **form})


def test_payer_who_approves_goes_back_to_the_merchant(port, browser, arrived):
    request, path = opened(port, browser)
    answer = press(browser, path, decision="approve")
    assert (answer.status_code, answer.url) == (302, RETURN_URL)
    assert [(update.reference, update.status) for update in arrived] == [
        (request.reference, "SUCCEEDED")
    ]


@pytest.mark.parametrize(
    ("decision", "reported"),
    [
        ("approve", ["SUCCEEDED"]),
        ("refuse", ["FAILED"]),
        ("cancel", ["ABANDONED"]),
        ("pending", []),
    ],
)
def test_each_button_leads_back_to_the_merchant(port, browser, arrived, decision, reported):
    _, path = opened(port, browser)
    assert press(browser, path, decision=decision).url == RETURN_URL
    assert [update.status for update in arrived] == reported


@pytest.mark.parametrize("rail", [Rail.PSE, Rail.BANK_TRANSFER])
def test_page_shows_who_is_paid_by_law(port, browser, rail):
    legal = {"merchant_legal_name": "Tueste & Cía. S.A.S.", "merchant_nit": "900123456"}
    _, path = opened(port, browser, rail, **legal)
    page = browser.get(path).content.decode()
    assert "Tueste &amp; Cía. S.A.S." in page
    assert "900.123.456-8" in page
    _, path = opened(port, browser, rail)
    assert "NIT" not in browser.get(path).content.decode()


def test_page_shows_the_merchant_and_the_amount(port, browser):
    _, path = opened(port, browser, description="<script>alert(1)</script>")
    page = browser.get(path).content.decode()
    assert "Café Andino" in page
    assert "$ 50.025 COP" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "SIMULADOR" in page


def test_a_pending_payment_can_be_decided_later(port, browser, arrived):
    _, path = opened(port, browser)
    press(browser, path, decision="pending")
    press(browser, path, decision="approve")
    assert [update.status for update in arrived] == ["SUCCEEDED"]


@pytest.mark.parametrize("again", ["approve", "refuse", "cancel"])
def test_a_decided_payment_is_not_decided_twice(port, browser, arrived, again):
    _, path = opened(port, browser)
    token = re.search(r'value="(\w+)"', browser.get(path).content.decode())[1]
    press(browser, path, decision="refuse")
    answer = browser.post(path, {"csrfmiddlewaretoken": token, "decision": again})
    assert (answer.status_code, answer.url) == (302, path)
    page = browser.get(path).content.decode()
    assert "Rechazado" in page
    assert "<button" not in page
    assert RETURN_URL in page
    assert len(arrived) == 1


def test_an_unknown_button_is_refused(port, browser, arrived):
    request, path = opened(port, browser)
    assert press(browser, path, decision="steal").status_code == 400
    assert press(browser, path).status_code == 400
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING


def test_a_form_without_its_token_is_refused(port, browser, arrived):
    for rail in Rail:
        _, path = opened(port, browser, rail)
        assert browser.post(path, {"decision": "approve", "amount": "1"}).status_code == 403
    assert arrived == []


def test_opening_stops_the_first_limit_and_starts_the_second(port, browser):
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as hand:
        request, path = opened(port, browser)
        hand.shift(timedelta(minutes=25))
        assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING
        hand.shift(1)
        assert "se acabó el tiempo" in browser.get(path).content.decode()


@pytest.mark.parametrize("page", ["bank", "transfer", "crypto"])
@pytest.mark.parametrize(
    "name", ["sim_unknown", "x" * 5000, "%00", "..%2f", "'; DROP TABLE charges"]
)
def test_an_unknown_payment_is_not_found(port, browser, page, name):
    answer = browser.get(f"/simulator/{page}/{name}")
    assert answer.status_code == 404
    assert b"SIMULA" in answer.content or "%2f" in name


def test_a_page_of_another_rail_is_not_found(port, browser):
    _, path = opened(port, browser)
    assert browser.get(path.replace("/bank/", "/crypto/")).status_code == 404
    _, path = opened(port, browser, Rail.CRYPTO)
    assert browser.get(path.replace("/crypto/", "/bank/")).status_code == 404


@pytest.mark.parametrize("rail", [Rail.BANK_TRANSFER, Rail.CRYPTO])
def test_a_deposit_is_played(port, browser, arrived, rail):
    request, path = opened(port, browser, rail)
    assert f'value="{request.amount}"' in browser.get(path).content.decode()
    part = request.amount / 5
    assert press(browser, path, action="deposit", amount=str(part)).url == path
    assert f'value="{request.amount - part}"' in browser.get(path).content.decode()
    press(browser, path, action="deposit", amount=str(request.amount - part))
    press(browser, path, action="deposit", amount=str(part))
    assert [(update.status, update.received) for update in arrived] == [
        ("RECEIVED", part),
        ("SUCCEEDED", request.amount),
        ("SUCCEEDED", request.amount + part),
    ]


def test_a_coin_is_seen_before_it_is_confirmed(port, browser, arrived):
    request, path = opened(port, browser, Rail.CRYPTO)
    press(browser, path, action="deposit", amount="0.5", seen="unconfirmed")
    assert "Confirmar lo visto" in browser.get(path).content.decode()
    press(browser, path, action="confirm")
    assert [(update.status, update.received) for update in arrived] == [
        ("RECEIVED", 0),
        ("SUCCEEDED", request.amount),
    ]


@pytest.mark.parametrize(
    "amount",
    [
        "",
        "0",
        "-1",
        "NaN",
        "Infinity",
        "1e400",
        "1,5",
        "1.5",
        "abc",
        "9" * 30,
        "1000000000000",
        "<b>",
    ],
)
def test_a_wrong_amount_is_explained(port, browser, arrived, amount):
    _, path = opened(port, browser, Rail.BANK_TRANSFER)
    answer = press(browser, path, action="deposit", amount=amount)
    assert answer.status_code == 400
    assert 'aria-invalid="true"' in answer.content.decode()
    assert "<b>" not in answer.content.decode()
    assert arrived == []


@pytest.mark.parametrize("return_url", ["", "javascript:alert(1)", "data:text/html,x"])
def test_only_web_addresses_are_returned_to(port, browser, return_url):
    _, path = opened(port, browser, return_url=return_url)
    assert press(browser, path, decision="approve").url == path
    page = browser.get(path).content.decode()
    assert "javascript:" not in page
    assert "data:text" not in page


def test_pages_speak_english_too(port, browser):
    _, path = opened(port, browser)
    page = browser.get(path, headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="en">' in page
    assert "Approve the payment" in page


@pytest.mark.parametrize("rail", Rail)
def test_every_text_is_translated(port, browser, rail):
    """What differs between the languages differs everywhere: no English is left in Spanish."""
    _, path = opened(port, browser, rail)
    texts = {}
    for language in ("es", "en"):
        page = browser.get(path, headers={"Accept-Language": language}).content.decode()
        texts[language] = set(re.findall(r"<(?:h1|h2|button|dt|label|legend)[^>]*>([^<]+)<", page))
    assert texts["es"] & texts["en"] <= {"CUS"}


def test_the_policy_is_strict_and_lets_the_payer_go_back(port, browser):
    _, path = opened(port, browser, return_url="http://localhost:9/pay/x")
    answer = browser.get(path)
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in answer.headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    # Browsers hold form-action against the redirect that follows the form.
    assert policy["form-action"] == "'self' https: http://localhost:9"
    page = answer.content.decode()
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", page)
    assert "no-store" in answer.headers["Cache-Control"]
    # Browsers send `Origin: null` with a form under no-referrer, and CSRF protection refuses it.
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_every_field_has_a_label(port, browser):
    for rail in Rail:
        _, path = opened(port, browser, rail)
        page = browser.get(path).content.decode()
        labelled = set(re.findall(r'<label for="(\w+)"', page))
        assert set(re.findall(r'<input type="text" id="(\w+)"', page)) == labelled
        assert page.count("<h1>") == 1
        assert 'name="viewport"' in page


def test_other_methods_are_refused(port, browser):
    _, path = opened(port, browser)
    assert browser.put(path).status_code in (403, 405)
    assert browser.head(path).status_code == 200


def test_the_page_shows_what_came_of_the_callbacks(port, browser, arrived):
    request, path = opened(port, browser, Rail.BANK_TRANSFER)
    control.deposit(request.reference, Decimal(1))
    assert "Avisos enviados: 1. Última respuesta: HTTP 200." in browser.get(path).content.decode()
