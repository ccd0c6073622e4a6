"""Payouts come to the open batch of their account, and what the bank shows decides them."""

from datetime import timedelta
from decimal import Decimal

import pytest
from stdnum import damm

from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.payment_files.models import BatchLine, LineFinding, PaymentBatch
from payments.payment_files.services import bank_debits
from payments.payout.services.engine import engine
from tests.payment_files.flow import ACCOUNT, debit, give_back, handed_over, pay, report
from tests.support.payouts import advance, read, resolve_by_hand, send

pytestmark = pytest.mark.django_db


def available(merchant):
    return ledger.balances(merchant.pk)["COPM"]["available"]


def test_payout_waits_in_the_open_batch(api, merchant, account):
    before = available(merchant)
    payout, line = pay(api, accountNumber="00012345678", recipientName="José Peña")
    assert payout.status == "PROCESSING"
    assert read(api, payout.pk)["status"] == "PROCESSING"
    assert (line.status, line.batch.status, line.batch.account) == ("PENDING", "OPEN", ACCOUNT)
    assert (line.bank, line.account_type, line.account_number) == ("1007", "37", "00012345678")
    assert (line.recipient_name, line.document, line.amount) == ("José Peña", "79123456", 100_000)
    assert available(merchant) == before - payout.debit
    assert payout.provider_id == line.code


def test_codes_have_a_check_digit_and_never_repeat(api, account):
    found = [pay(api)[1].code for _ in range(5)]
    assert len(set(found)) == 5
    for code in found:
        assert damm.is_valid(code)
        assert (len(code), code[0]) == (9, "1")
    assert PaymentBatch.objects.count() == 1


def test_wallet_gets_a_deposit_of_low_amount(api, account):
    _, line = pay(api, bankCanonicalId="nequi", accountNumber="3001234567")
    assert (line.bank, line.account_type) == ("1507", "52")


@pytest.mark.parametrize(
    "changes",
    [
        {"accountNumber": "123456789012345678"},
        {"recipientName": "株式会社"},
        {"recipientDocNumber": "1234567890123456"},
    ],
)
def test_payout_that_no_file_can_pay_fails_at_once(api, merchant, account, changes):
    before = available(merchant)
    answer = send(api, {**BODY, **changes})
    assert answer.status_code == 201
    engine.process_due(now=clock.now())
    data = read(api, answer.body["data"]["payoutId"])
    assert (data["status"], BatchLine.objects.count()) == ("FAILED", 0)
    assert available(merchant) == before


BODY = {
    "amount": 100000,
    "recipientName": "Juan Pérez",
    "recipientDocType": "CC",
    "recipientDocNumber": "79123456",
    "network": "BANK",
    "bankCanonicalId": "bancolombia",
    "accountType": "SAVINGS",
    "accountNumber": "12345678901",
}


def test_keys_are_not_carried(api, account):
    body = {**BODY, "network": "BREB", "keyType": "PHONE", "keyValue": "3001234567"}
    for name in ("bankCanonicalId", "accountType", "accountNumber"):
        del body[name]
    answer = send(api, body)
    assert answer.status_code >= 400
    assert not BatchLine.objects.exists()


class TestWaiting:
    def test_payout_that_waits_for_weeks_calls_no_operator_and_is_not_sent_again(
        self, api, account
    ):
        payout, line = pay(api)
        for days in (1, 3, 10, 40):
            engine.process_due(now=clock.now() + timedelta(days=days))
        payout.refresh_from_db()
        assert (payout.status, payout.needs_operator) == ("PROCESSING", False)
        assert payout.sent_at == payout.last_sent_at
        assert list(BatchLine.objects.all()) == [line]

    def test_payout_in_a_batch_is_not_resolved_past_it(self, api, merchant, account):
        """Released by hand it would still be in the file."""
        payout, _ = pay(api)
        before = available(merchant)
        for outcome in ("FAILED", "COMPLETED", "REFUNDED"):
            with pytest.raises(NotAllowed):
                resolve_by_hand(payout, outcome, now=clock.now() + timedelta(hours=1))
        payout.refresh_from_db()
        assert (payout.status, available(merchant)) == ("PROCESSING", before)

    def test_payout_that_is_sent_again_has_one_line(self, api, account):
        payout, line = pay(api)
        engine.call(payment=payout, now=clock.now())
        engine.query(payment=payout, now=clock.now())
        assert list(BatchLine.objects.all()) == [line]


class TestDebits:
    def test_debit_completes_the_payout_once(self, api, account):
        payout, line = pay(api)
        handed_over(line)
        assert debit(line) is None
        assert debit(line) is None
        report()
        report()
        payout.refresh_from_db()
        assert (line.status, payout.status) == ("COMPLETED", "COMPLETED")
        assert not LineFinding.objects.exists()
        assert BatchLine.objects.filter(report_at__isnull=False).count() == 0

    def test_line_is_found_by_its_code_of_its_account_only(self, api, account):
        _, line = pay(api)
        for code in (line.code, f"000000{line.code}", f" {line.code} "):
            assert bank_debits.find_line([ACCOUNT, "other"], code) == line
        wrong = line.code[:-1] + str((int(line.code[-1]) + 1) % 10)
        for slugs, code in ((["other"], line.code), ([ACCOUNT], wrong), ([ACCOUNT], "")):
            assert bank_debits.find_line(slugs, code) is None

    def test_second_debit_calls_an_operator_and_changes_nothing(self, api, account):
        payout, line = pay(api)
        handed_over(line)
        debit(line)
        report()
        for _ in range(2):
            assert debit(line, "stl_2").kind == "SECOND_DEBIT"
        report()
        payout.refresh_from_db()
        assert (line.status, line.needs_operator, line.debit_source) == ("COMPLETED", True, "stl_1")
        assert payout.status == "COMPLETED"
        assert LineFinding.objects.count() == 1

    def test_debit_of_another_amount_calls_an_operator_and_changes_nothing(self, api, account):
        payout, line = pay(api)
        handed_over(line)
        assert debit(line, amount=line.amount + 1).kind == "OTHER_AMOUNT"
        report()
        payout.refresh_from_db()
        assert (line.status, line.needs_operator, payout.status) == ("PENDING", True, "PROCESSING")
        assert debit(line, "stl_2") is None
        assert line.status == "COMPLETED"

    def test_debit_before_any_file_was_downloaded_calls_an_operator(self, api, account):
        _, line = pay(api)
        assert debit(line).kind == "NOT_HANDED_OVER"
        assert (line.status, line.needs_operator) == ("PENDING", True)

    def test_return_gives_the_merchant_its_money(self, api, merchant, account):
        before = available(merchant)
        payout, line = pay(api)
        handed_over(line)
        debit(line)
        report()
        assert give_back(line) is None
        assert give_back(line) is None
        report()
        payout.refresh_from_db()
        assert (line.status, payout.status) == ("RETURNED", "REFUNDED")
        assert available(merchant) == before
        assert give_back(line, "stl_10").kind == "SECOND_RETURN"

    def test_return_whose_debit_comes_later_is_one_return(self, api, merchant, account):
        before = available(merchant)
        payout, line = pay(api)
        handed_over(line)
        give_back(line)
        assert debit(line) is None
        report()
        payout.refresh_from_db()
        assert (line.status, line.needs_operator, payout.status) == ("RETURNED", False, "REFUNDED")
        assert available(merchant) == before

    def test_withdrawn_debit_calls_an_operator_and_leaves_room_for_the_true_one(self, api, account):
        payout, line = pay(api)
        handed_over(line)
        debit(line)
        report()
        bank_debits.withdraw_movement(
            line=line, source="stl_1", actor="ana", reason="another payment", now=clock.now()
        )
        assert debit(line, "stl_2") is None
        payout.refresh_from_db()
        assert (line.status, line.needs_operator, payout.status) == ("COMPLETED", True, "COMPLETED")

    def test_amounts_with_cents_agree(self, api, account):
        _, line = pay(api, amount=100000.25)
        handed_over(line)
        assert debit(line, amount=Decimal("100000.25")) is None
        assert line.status == "COMPLETED"


def test_payout_is_not_sent_twice_by_time(api, account):
    payout, line = pay(api)
    advance(minutes=30, step_seconds=300)
    payout.refresh_from_db()
    assert list(BatchLine.objects.all()) == [line]
    assert payout.status == "PROCESSING"
