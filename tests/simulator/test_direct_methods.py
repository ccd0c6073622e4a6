"""The methods of the Direct API at the simulator: redirect, push and key."""

import re
import sqlite3
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from urllib.parse import urlsplit

import pytest
import time_machine
from django.utils import translation

from payments.core import clock
from payments.providers.ports import (
    ChargeStatus,
    Flow,
    Known,
    ProviderRefused,
    Rail,
    Reason,
    UiType,
)
from payments.simulator import control, magic, schema, store
from tests.simulator.conftest import TIMEOUT, charge
from tests.simulator.test_pages import press

FLOWS = {
    "pse": Flow.REDIRECT,
    "bank_redirect": Flow.REDIRECT,
    "push_wallet": Flow.PUSH,
    "breb_key": Flow.KEY,
}
FIELDS = {
    "pse": {"bankCode": "1007", "personType": "NATURAL"},
    "push_wallet": {"phone": "3001234567"},
}
DEBITS = [method for method, flow in FLOWS.items() if flow.is_debit]


def direct(method, **changes):
    rail = Rail.PSE if FLOWS[method] is Flow.REDIRECT else Rail.BANK_TRANSFER
    return charge(rail, direct_method=method, fields=FIELDS.get(method, {}), **changes)


def path_of(request):
    record = store.charges.by_reference(request.reference)
    return f"/simulator/{record.page}/{record.provider_id}"


def test_each_direct_method_is_paid_in_its_own_flow(port, arrived):
    for method in port.direct_methods():
        request = direct(method.key)
        started = port.start(request, TIMEOUT)
        assert started.flow is method.flow is FLOWS[method.key]
        assert (started.redirect_url is not None) == (method.flow is Flow.REDIRECT)
        assert (started.key_value is not None) == (method.flow is Flow.KEY)
        assert control.resolve(request.reference, ChargeStatus.SUCCEEDED) == 200
        assert arrived[-1] == port.query(Known(reference=request.reference))
        assert (arrived[-1].status, arrived[-1].received) == ("SUCCEEDED", 50025)


def test_a_method_says_what_it_needs(port):
    methods = {method.key: method for method in port.direct_methods()}
    assert list(methods) == list(FLOWS)
    bank, person = methods["pse"].required_fields
    assert (bank.key, bank.type, bank.required) == ("bankCode", "bankSelect", True)
    assert [option.value for option in bank.options] == [bank.code for bank in port.banks()]
    assert [option.value for option in person.options] == ["NATURAL", "LEGAL"]
    assert [field.type for field in methods["push_wallet"].required_fields] == ["phone"]
    assert methods["bank_redirect"].min_amount > methods["breb_key"].min_amount
    for method in methods.values():
        is_redirect = method.flow is Flow.REDIRECT
        assert method.ui_type is (UiType.WEBVIEW if is_redirect else UiType.PUSH)
        assert method.category is (Rail.PSE if is_redirect else Rail.BANK_TRANSFER)


def test_labels_are_in_the_language_of_the_reader(port):
    with translation.override("en"):
        assert [method.label for method in port.direct_methods()][-1] == "Bre-B key"


@pytest.mark.parametrize("method", FLOWS)
def test_the_same_reference_gets_the_same_answer(port, method):
    request = direct(method)
    first = port.start(request, TIMEOUT)
    assert port.start(request, TIMEOUT) == first
    assert port.start(direct(method), TIMEOUT).provider_id != first.provider_id


def test_keys_are_not_shared_and_no_rail_knows_them(port):
    keys = {port.start(direct("breb_key"), TIMEOUT).key_value for _ in range(20)}
    assert len(keys) == 20
    # Bre-B takes letters and digits after the @.
    assert all(re.fullmatch(r"@SIM-\d{10}", key) for key in keys)


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        ("pse", {"fields": {"bankCode": "9999"}}),
        ("pse", {"method": Rail.BANK_TRANSFER}),
        ("push_wallet", {"fields": {}}),
        ("push_wallet", {"method": Rail.PSE}),
        ("breb_key", {"direct_method": "nothing"}),
    ],
)
def test_a_request_that_makes_no_sense_is_a_definite_no(port, method, changes):
    request = replace(direct(method), **changes)
    with pytest.raises(ProviderRefused) as refusal:
        port.start(request, TIMEOUT)
    assert refusal.value.reason == Reason.INVALID_REQUEST
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN


@pytest.mark.parametrize("method", DEBITS)
@pytest.mark.parametrize("end", ["SUCCEEDED", "FAILED", "ABANDONED"])
def test_a_debit_is_decided_once_and_takes_no_deposits(port, arrived, method, end):
    request = direct(method)
    port.start(request, TIMEOUT)
    with pytest.raises(control.NotPossible):
        control.deposit(request.reference, Decimal(1))
    control.resolve(request.reference, ChargeStatus(end))
    with pytest.raises(control.NotPossible):
        control.resolve(request.reference, ChargeStatus.SUCCEEDED)
    assert [update.status for update in arrived] == [end]
    assert arrived[0].trace_code.isdigit()


def test_push_waits_a_quarter_of_an_hour_whether_or_not_it_is_opened(port):
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as hand:
        request = direct("push_wallet")
        started = port.start(request, TIMEOUT)
        assert started.expires_at == clock.now() + timedelta(minutes=15)
        hand.shift(timedelta(minutes=14))
        control.visit(started.provider_id)
        hand.shift(timedelta(minutes=1))
        assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING
        hand.shift(1)
        update = port.query(Known(reference=request.reference))
    assert (update.status, update.reason) == (ChargeStatus.ABANDONED, Reason.TIME_LIMIT)


def test_a_key_is_paid_in_parts_and_after_the_end(port, arrived):
    request = direct("breb_key")
    assert port.start(request, TIMEOUT).expires_at == request.expires_at
    control.deposit(request.reference, Decimal(20000))
    control.deposit(request.reference, Decimal(30025))
    control.deposit(request.reference, Decimal(5))
    assert [(update.status, update.received) for update in arrived] == [
        ("RECEIVED", 20000),
        ("SUCCEEDED", 50025),
        ("SUCCEEDED", 50030),
    ]
    assert all(update.trace_code.startswith("TR") for update in arrived)


@pytest.mark.parametrize("method", FLOWS)
@pytest.mark.parametrize("name", [row.name for row in magic.CHARGES if row.outcome])
def test_magic_values_do_what_they_do_for_pse(port, method, name):
    row = [row.name for row in magic.CHARGES].index(name)
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as hand:
        request = direct(method, document=str(magic.FIRST_DOCUMENT + row))
        port.start(request, TIMEOUT)
        hand.shift(magic.SLOW_SECONDS)
        assert port.query(Known(reference=request.reference)).status is magic.CHARGES[row].outcome


@pytest.mark.parametrize(
    ("button", "status"),
    [("approve", "SUCCEEDED"), ("refuse", "FAILED"), ("cancel", "ABANDONED")],
)
def test_owner_of_the_wallet_decides(port, browser, arrived, button, status):
    request = direct("push_wallet")
    started = port.start(request, TIMEOUT)
    path = path_of(request)
    assert urlsplit(started.instructions["simulatorUrl"]).path == path
    page = browser.get(path).content.decode()
    assert "Café Andino" in page
    assert "$ 50.025 COP" in page
    assert press(browser, path, decision=button).url == path
    assert [update.status for update in arrived] == [status]
    page = browser.get(path).content.decode()
    assert "<button" not in page
    assert "cafeandino.example" not in page


def test_an_unknown_button_of_the_wallet_is_refused(port, browser, arrived):
    request = direct("push_wallet")
    port.start(request, TIMEOUT)
    for button in ("pending", "steal", ""):
        assert press(browser, path_of(request), decision=button).status_code == 400
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING


def test_a_key_is_paid_at_its_desk(port, browser, arrived):
    request = direct("breb_key")
    started = port.start(request, TIMEOUT)
    assert started.key_value in browser.get(path_of(request)).content.decode()
    press(browser, path_of(request), action="deposit", amount="50025")
    assert [update.status for update in arrived] == ["SUCCEEDED"]


def test_a_bank_button_leads_to_the_bank(port, browser, arrived):
    request = direct("bank_redirect")
    started = port.start(request, TIMEOUT)
    path = path_of(request)
    assert urlsplit(started.redirect_url).path == path
    assert press(browser, path, decision="approve").url == request.return_url
    assert [update.status for update in arrived] == ["SUCCEEDED"]


@pytest.mark.parametrize("method", FLOWS)
def test_a_charge_has_one_page(port, browser, method):
    request = direct(method)
    port.start(request, TIMEOUT)
    record = store.charges.by_reference(request.reference)
    others = {"bank", "wallet", "key", "transfer", "crypto"} - {record.page}
    for page in others:
        assert browser.get(f"/simulator/{page}/{record.provider_id}").status_code == 404


def test_store_of_an_earlier_release_is_brought_up_to_date(port, settings):
    requests = [charge(rail) for rail in Rail]
    for request in requests:
        port.start(request, TIMEOUT)
    step = schema.SCHEMAS.index(schema.DIRECT_METHODS)
    with sqlite3.connect(settings.SIMULATOR_STATE) as file:
        file.execute("DROP INDEX charges_due")
        for column in ("due_at", "direct_method", "merchant_legal_name", "merchant_nit"):
            file.execute(f"ALTER TABLE charges DROP COLUMN {column}")
        file.execute("ALTER TABLE charges DROP COLUMN flow")
        file.execute(f"PRAGMA user_version = {step}")
    pages = [store.charges.by_reference(request.reference).page for request in requests]
    assert pages == ["bank", "transfer", "crypto"]
