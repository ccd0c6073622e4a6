"""Every wrong value of a file is found before anything moves."""

import datetime
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock, masking
from payments.core.errors import NotAllowed
from payments.payout.models import Payout, PayoutMethod
from payments.payout_batches.files import faults as texts
from payments.payout_batches.models import BatchFile, BatchLine, PayoutBatch
from payments.payout_batches.services import checking, open_batches, queue
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from tests.payout_batches import flow

pytestmark = pytest.mark.django_db


def _line(merchant: Merchant, **changes: str) -> BatchLine:
    batch = flow.check(merchant, flow.csv(flow.row(**changes)))
    return batch.lines.get()


def test_right_file_is_checked_with_its_totals_and_moves_nothing(merchant: Merchant) -> None:
    key = {**flow.TO_KEY, "key": "3001234567", "amount": "10.000,50"}
    batch = flow.check(merchant, flow.csv(flow.row(1), flow.row(2, **key)))
    assert (batch.status, batch.format, batch.wrong_count) == ("CHECKED", "csv", 0)
    assert (batch.line_count, batch.amount) == (2, Decimal("60000.5"))
    assert batch.fee_amount == Decimal(2500 + 900)
    assert not Payout.objects.exists()
    first, second = batch.lines.order_by("number")
    assert (first.number, first.doc_number, first.bank_id) == (2, "52000001", "bancolombia")
    assert (second.network, second.key_type, second.key_value) == ("BREB", "PHONE", "3001234567")


@pytest.mark.parametrize(
    ("typed", "amount"),
    [
        ("1.250.000,50", "1250000.5"),
        ("1,250,000.50", "1250000.5"),
        ("1250000", "1250000"),
        ("1250000,5", "1250000.5"),
        ("$ 1.250", "1250"),
        ("1,250", "1250"),
        ("COP 12.345", "12345"),
        ("12.345 COP", "12345"),
        ("10.50", "10.5"),
    ],
)
def test_amount_is_read_as_colombia_writes_it(merchant: Merchant, typed: str, amount: str) -> None:
    assert _line(merchant, amount=typed).amount == Decimal(amount)


@pytest.mark.parametrize(
    ("changes", "column", "code"),
    [
        ({"amount": ""}, "amount", "needed"),
        ({"amount": "1.25.000"}, "amount", "amount"),
        ({"amount": "mil"}, "amount", "amount"),
        ({"amount": "-5000"}, "amount", "amount_negative"),
        ({"amount": "0,00"}, "amount", "amount_zero"),
        ({"amount": "1,25E+06"}, "amount", "mangled"),
        ({"amount": "60.000.000"}, "amount", "amount_max"),
        ({"amount": "9999999999999"}, "amount", "amount_digits"),
        ({"amount": "=A1*2"}, "amount", "formula"),
        ({"name": ""}, "recipient_name", "needed"),
        ({"name": "+Ana"}, "recipient_name", "sign"),
        ({"name": "A" * 201}, "recipient_name", "too_long"),
        ({"doc_type": "RUT"}, "doc_type", "doc_type"),
        ({"document": "52 123/456"}, "doc_number", "document"),
        ({"document": "5,2E+07"}, "doc_number", "mangled"),
        ({"bank": "Banco de Bogta"}, "bank", "bank_like"),
        ({"bank": "Mi alcancía"}, "bank", "bank"),
        ({"bank": ""}, "bank", "needed"),
        ({"account_type": "Nómina"}, "account_type", "account_type"),
        ({"account": "12"}, "account_number", "account"),
        ({"account": "1,0E+10"}, "account_number", "mangled"),
        ({"bank": "Nequi", "account": "12345678"}, "account_number", "account_mobile"),
        ({"key": "3001234567"}, "account_number", "both"),
        (flow.TO_KEY, "account_number", "neither"),
        ({**flow.TO_KEY, "key": "3,00123E+09"}, "key_value", "mangled"),
        ({**flow.TO_KEY, "key": "@a"}, "key_value", "key"),
        ({**flow.TO_KEY, "key": "300", "key_type": "Celular"}, "key_value", "key"),
        ({**flow.TO_KEY, "key": "300", "key_type": "Paloma"}, "key_type", "key_type"),
        ({"description": "x" * 41}, "description", "too_long"),
    ],
)
def test_wrong_value_is_named_with_its_column(
    merchant: Merchant, changes: dict[str, str], column: str, code: str
) -> None:
    line = _line(merchant, **changes)
    assert line.status == "WRONG"
    assert [(one["column"], one["code"]) for one in line.faults] == [(column, code)]
    sentence = texts.line_fault(line.faults[0])
    assert code in ("both", "neither") or line.faults[0]["value"][:10] in sentence


def test_every_wrong_value_of_a_line_is_found(merchant: Merchant) -> None:
    line = _line(merchant, amount="x", doc_type="x", bank="Banco Lunar", account="x")
    assert {one["column"] for one in line.faults} == {
        *("amount", "doc_type", "bank", "account_number")
    }


@pytest.mark.parametrize(
    "name", ["BANCOLOMBIA", "bancolombia", "Bancolombia S.A.", "1007", "Bco. Bancolombia"]
)
def test_bank_is_recognised_as_people_write_it(merchant: Merchant, name: str) -> None:
    assert _line(merchant, bank=name).bank_id == "bancolombia"


@pytest.mark.parametrize(
    ("key", "key_type"),
    [
        ("@anaperez", "ALPHANUMERIC"),
        ("ana@correo.co", "EMAIL"),
        ("+57 300 123 4567", "PHONE"),
        ("0012345678", "BCODE"),
        ("1.012.345.678", "ID"),
    ],
)
def test_type_of_a_key_is_recognised(merchant: Merchant, key: str, key_type: str) -> None:
    assert _line(merchant, **flow.TO_KEY, key=key).key_type == key_type


def test_numbers_of_a_workbook_are_read_and_lost_zeros_are_warned_of(merchant: Merchant) -> None:
    cells = ["N-1", "Ana Pérez", "CC", 52123456, "Bancolombia", "Ahorros", 10020030040]
    batch = flow.check(
        merchant, flow.workbook([[*cells, None, None, 1250000.5, "Nómina"]]), name="nomina.xlsx"
    )
    line = batch.lines.get()
    assert (line.doc_number, line.account_number) == ("52123456", "10020030040")
    assert line.amount == Decimal("1250000.5")
    assert flow.warnings(batch) == {2: ["zeros"]}


def test_date_and_formula_of_a_workbook_are_refused(merchant: Merchant) -> None:
    cells = ["N-1", "Ana Pérez", "CC", 52123456, "Bancolombia", "Ahorros"]
    day = datetime.date(2026, 5, 3)
    batch = flow.check(merchant, flow.workbook([[*cells, day, None, None, "=1+1", ""]]))
    assert flow.faults(batch) == {2: [("amount", "formula"), ("account_number", "date")]}


def test_same_payment_twice_is_warned_of_and_same_reference_is_wrong(merchant: Merchant) -> None:
    first = flow.row(1)
    again = flow.row(1, reference="N-2")
    third = flow.row(3, reference="N-2")
    batch = flow.check(merchant, flow.csv(first, again, third))
    assert flow.warnings(batch) == {3: ["same_as_line"]}
    assert flow.faults(batch) == {4: [("reference", "reference_twice")]}


def test_payment_of_the_last_30_days_is_warned_of(payer: Merchant) -> None:
    flow.run(payer, flow.many(2))
    again = flow.check(payer, flow.many(3))
    assert flow.warnings(again) == {
        2: ["paid_before", "reference_before"],
        3: ["paid_before", "reference_before"],
    }


def test_payment_that_another_file_is_about_to_make_is_warned_of(merchant: Merchant) -> None:
    first = flow.check(merchant, flow.many(1))
    flow.submit(first)
    assert flow.warnings(flow.check(merchant, flow.many(1))) == {
        2: ["in_other_batch", "reference_before"]
    }


def test_payments_of_another_merchant_are_no_duplicates(
    payer: Merchant, stranger: Merchant
) -> None:
    flow.run(payer, flow.many(2))
    assert flow.warnings(flow.check(stranger, flow.many(2))) == {}


def test_bank_that_no_rail_reaches_and_network_that_is_off_are_wrong(merchant: Merchant) -> None:
    PayoutMethod.objects.filter(network="BREB").update(is_enabled=False)
    key = flow.row(2, **flow.TO_KEY, key="3001234567")
    batch = flow.check(merchant, flow.csv(flow.row(1), key))
    assert flow.faults(batch) == {3: [("amount", "network_off")]}


def test_keys_are_asked_for_at_the_rail_and_an_unknown_one_is_wrong(merchant: Merchant) -> None:
    known = flow.row(1, **flow.TO_KEY, key="3001234567")
    unknown = flow.row(2, **flow.TO_KEY, key="3009990004")
    batch = flow.check(merchant, flow.csv(known, unknown, flow.row(3)))
    results = {line.number: line.key_result for line in batch.lines.all()}
    assert set(results) == {2, 3, 4}
    assert results[4] == ""
    assert batch.keys_asked + batch.keys_left == 2


def test_only_so_many_keys_are_asked_for(merchant: Merchant, settings: object) -> None:
    settings.PAYOUT_BATCH_KEYS_MAX = 1  # type: ignore[attr-defined]
    rows = [flow.row(n, **flow.TO_KEY, key=f"300123456{n}") for n in range(1, 4)]
    batch = flow.check(merchant, flow.csv(*rows))
    assert batch.status == "CHECKED"
    assert batch.keys_left >= 2


def test_file_without_lines_and_file_with_wrong_headings_are_refused(merchant: Merchant) -> None:
    for content, code in ((flow.csv(), "empty"), (b"Hola\nmundo\n", "headings_missing")):
        batch = flow.check(merchant, content)
        assert (batch.status, batch.cause) == ("REFUSED", code)
        assert texts.file_fault(batch.cause, batch.cause_values)
        assert not batch.lines.exists()


def test_mended_file_takes_the_place_of_the_former_one(merchant: Merchant) -> None:
    wrong = flow.check(merchant, flow.csv(flow.row(1, amount="x")))
    mended = flow.check(merchant, flow.many(1), replaces=wrong.pk)
    wrong.refresh_from_db()
    assert (wrong.status, mended.status, mended.replaces_id) == ("DISCARDED", "CHECKED", wrong.pk)
    with pytest.raises(NotAllowed):
        flow.check(merchant, flow.many(1), replaces=wrong.pk)


def test_file_that_is_replaced_while_it_is_checked_is_deleted(merchant: Merchant) -> None:
    first = flow.upload(merchant, flow.many(1))
    flow.upload(merchant, flow.many(1), replaces=first.pk)
    assert not BatchFile.objects.filter(batch=first).exists()
    flow.work()
    first.refresh_from_db()
    assert (first.status, first.lines.count()) == ("DISCARDED", 0)


def test_files_to_check_have_a_limit_so_that_they_do_not_delay_those_of_others(
    merchant: Merchant, stranger: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_batches, "CHECKING_MAX", 2)
    first = flow.upload(merchant, flow.many(1))
    flow.upload(merchant, flow.many(2))
    with pytest.raises(NotAllowed, match="being checked"):
        flow.upload(merchant, flow.many(3))
    flow.upload(merchant, flow.many(3), replaces=first.pk)
    flow.upload(stranger, flow.many(1))
    flow.work()
    assert flow.upload(merchant, flow.many(4)).status == "CHECKING"


def test_file_of_another_merchant_is_not_replaced(merchant: Merchant, stranger: Merchant) -> None:
    theirs = flow.check(stranger, flow.csv(flow.row(1, amount="x")))
    with pytest.raises(NotAllowed):
        flow.upload(merchant, flow.many(1), replaces=theirs.pk)


def test_check_that_died_is_begun_again_and_stores_its_lines_once(merchant: Merchant) -> None:
    batch = flow.upload(merchant, flow.many(3))
    stale = PayoutBatch.objects.get(pk=batch.pk)
    assert stale.file.content  # what the slower of two workers has read
    checking.check(batch=batch, now=clock.now())
    checking.check(batch=stale, now=clock.now())
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.lines.count()) == ("CHECKED", 3)


def test_check_that_kills_its_worker_each_time_ends(merchant: Merchant) -> None:
    batch = flow.upload(merchant, flow.many(1))
    PayoutBatch.objects.filter(pk=batch.pk).update(attempts=9)
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("REFUSED", "no_end")


def test_lines_of_files_that_were_never_sent_are_forgotten(merchant: Merchant) -> None:
    old, new = flow.check(merchant, flow.many(2)), flow.check(merchant, flow.many(2))
    long_ago = clock.now() - datetime.timedelta(days=31)
    PayoutBatch.objects.filter(pk=old.pk).update(updated_at=long_ago)
    queue.forget_drafts(now=clock.now())
    assert (old.lines.count(), new.lines.count()) == (0, 2)
    old.refresh_from_db()
    assert old.status == "DISCARDED"
    with pytest.raises(NotAllowed):
        flow.submit(old)


def test_holder_of_a_key_is_never_shown_with_the_whole_name(
    merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = KeyCheck(result="FOUND", holder_name="Rosa Elvira Cárdenas")
    monkeypatch.setattr(key_checks, "look_up", lambda **_payment: told)
    batch = flow.check(merchant, flow.csv(flow.row(1, **flow.TO_KEY, key="3001234567")))
    line = batch.lines.get()
    assert line.key_holder == masking.full_name("Rosa Elvira Cárdenas")
    assert "Cárdenas" not in f"{line.key_holder} {line.warnings}"
    assert [one["code"] for one in line.warnings] == ["holder"]


def test_check_shows_whose_keys_they_are(merchant: Merchant) -> None:
    """The simulator's magic keys (docs/simulator.md)."""
    keys = ("3001234567", "3990002001", "3990002002", "3990002003", "3990002005")
    rows = [flow.row(n, **flow.TO_KEY, key=key) for n, key in enumerate(keys, start=1)]
    batch = flow.check(merchant, flow.csv(*rows))
    found = list(batch.lines.order_by("number"))
    assert [line.key_result for line in found] == [
        *("FOUND", "NOT_FOUND", "CLOSED", "FOUND", "UNRESOLVED")
    ]
    assert [line.key_holder for line in found] == ["**** ****", "", "", "Ó**** T******", ""]
    assert [line.status for line in found] == ["WAITING", "WRONG", "WRONG", "WAITING", "WAITING"]
    assert [[one["code"] for one in line.warnings] for line in found] == [
        [],
        [],
        [],
        ["holder"],
        [],
    ]


def test_many_files_of_one_hour_ask_for_so_many_keys_only(
    merchant: Merchant, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PAYOUT_BATCH_KEYS_MAX = 1
    asked = []

    def look_up(**payment: Any) -> KeyCheck:
        asked.append(payment)
        return KeyCheck(result="FOUND", holder_name="")

    monkeypatch.setattr(key_checks, "look_up", look_up)
    for number in range(5):
        flow.check(merchant, flow.csv(flow.row(1, **flow.TO_KEY, key=f"300123456{number}")))
    assert len(asked) == 3
