"""A merchant's own bank account, and withdrawals to it."""

import pytest
from django.contrib.auth.models import User

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.services.entries import InsufficientBalance
from payments.payout.models import Payout
from payments.payout.services import approvals
from payments.payout.services.engine import engine
from payments.withdrawals.models import BankAccount, Withdrawal
from payments.withdrawals.services import bank_accounts, withdrawals
from tests.admin.conftest import credit, person, url
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.merchant_staff import browser_of, person_of
from tests.withdrawals.conftest import ask, entered
from tests.withdrawals.forms import given

pytestmark = pytest.mark.django_db


def test_an_administrator_enters_it_and_an_operator_verifies_it(
    merchant: Merchant, legal: LegalData, gabriel: User
) -> None:
    boss = browser_of(gabriel)
    page = boss.page("withdrawals_bankaccount_enter").content.decode()
    assert "Bancolombia" in page
    assert f'<input type="hidden" name="merchant" value="{merchant.pk}"' in page
    done = boss.submit("withdrawals_bankaccount_enter", merchant=merchant.pk, **given())
    assert done.status_code == 302, done.content
    (made,) = BankAccount.objects.all()
    assert (made.status, made.nit, made.account_number) == (
        "UNVERIFIED",
        "890903938",
        "12345678901",
    )
    shown = boss.page("withdrawals_bankaccount_change", made.pk).content.decode()
    assert "12345678901" not in shown
    assert "···8901" in shown
    assert boss.page("withdrawals_bankaccount_verify", made.pk).status_code in (403, 404)
    olga = person("olga", roles.APPROVER)
    assert olga.submit("withdrawals_bankaccount_verify", made.pk).status_code == 302
    made.refresh_from_db()
    assert (made.status, made.decided_by) == ("VERIFIED", "olga")
    actions = AuditEntry.objects.filter(subject_id=made.pk).values_list("action", flat=True)
    assert {*actions} == {"bank_account.entered", "bank_account.verified"}


@pytest.mark.parametrize("switch", ["is_active", "payout_enabled"])
def test_account_whose_payouts_are_off_asks_for_no_withdrawal(
    account: BankAccount, gabriel: User, switch: str
) -> None:
    """It would never be sent, and its money would stay held."""
    credit(account.merchant)
    Merchant.objects.filter(pk=account.merchant_id).update(**{switch: False})
    account.merchant.refresh_from_db()
    with pytest.raises(NotAllowed, match="may not make payouts now"):
        ask(account, gabriel, 100_000)
    assert not Payout.objects.exists()


def test_it_needs_legal_data(merchant: Merchant) -> None:
    with pytest.raises(bank_accounts.LegalDataMissing):
        entered(merchant)


@pytest.mark.parametrize("number", ["", "123", "000000000", "12a45678", "1" * 21])
def test_a_wrong_number_is_refused(merchant: Merchant, legal: LegalData, number: str) -> None:
    with pytest.raises(bank_accounts.WrongAccount):
        entered(merchant, number)


def test_the_person_who_entered_it_never_verifies_it(merchant: Merchant, legal: LegalData) -> None:
    made = entered(merchant)
    with pytest.raises(NotAllowed):
        bank_accounts.verify(account=made, actor="gabriel", reason="Me", now=clock.now())
    made.refresh_from_db()
    assert made.status == "UNVERIFIED"


def test_another_merchants_people_and_operators_without_the_right_do_nothing(
    account: BankAccount, stranger: Merchant
) -> None:
    oscar = browser_of(person_of(stranger, "oscar", roles.MERCHANT_ADMINISTRATOR))
    assert oscar.page("withdrawals_bankaccount_change", account.pk).status_code in (302, 404)
    assert oscar.submit("withdrawals_bankaccount_withdraw", account.pk).status_code in (403, 404)
    oscar.submit("withdrawals_bankaccount_enter", merchant=account.merchant_id, **given())
    assert BankAccount.objects.count() == 1
    for role in (roles.VIEWER, roles.FINANCE, roles.ADMINISTRATOR):
        page = person(f"p-{role}", role).page("withdrawals_bankaccount_verify", account.pk)
        assert page.status_code == 403


def test_operator_who_verifies_sees_what_to_compare(merchant: Merchant, legal: LegalData) -> None:
    made = entered(merchant)
    olga = person("olga", roles.APPROVER)
    page = olga.page("withdrawals_bankaccount_verify", made.pk).content.decode()
    for shown in (legal.legal_name, "Bancolombia", "···8901", "···9388"):
        assert shown in page, shown
    whole = url("withdrawals_bankaccount_reveal", made.pk)
    assert whole in page
    assert "12345678901" not in page
    revealed = olga.get(whole).content.decode()
    for shown in ("12345678901", "890.903.938-8"):
        assert shown in revealed, shown
    assert AuditEntry.objects.filter(action="personal_data.revealed", actor="olga").count() == 1


def test_another_account_is_not_verified_and_the_first_one_stays_as_history(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    second = entered(merchant, "99988877766")
    account.refresh_from_db()
    assert (account.status, second.status) == ("REPLACED", "UNVERIFIED")
    for one in (account, second):
        with pytest.raises(withdrawals.AccountNotVerified):
            ask(one, gabriel, 100_000)
    assert not Payout.objects.exists()


def test_another_nit_stops_withdrawals(
    account: BankAccount, merchant: Merchant, legal: LegalData, gabriel: User
) -> None:
    credit(merchant)
    LegalData.objects.update(nit="860034313")
    with pytest.raises(withdrawals.AccountNotVerified):
        ask(account, gabriel, 100_000)


def test_a_withdrawal_waits_for_a_colleague_and_goes_to_the_account(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = ask(account, gabriel, 100_000)
    assert (payout.status, payout.is_held_back) == ("PENDING", True)
    assert (payout.recipient_doc_number, payout.account_number) == ("8909039388", "12345678901")
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "PENDING"
    with pytest.raises(NotAllowed):
        approvals.approve_for_team(payout=payout, user=gabriel, reason="Me", now=clock.now())
    approvals.approve_for_team(payout=payout, user=paula, reason="Fine", now=clock.now())
    payout.refresh_from_db()
    assert payout.is_held_back is False
    assert Withdrawal.objects.get(account=account).payout_id == payout.pk


def test_withdrawal_that_waits_ends_when_its_account_is_rejected(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = ask(account, gabriel, 100_000)
    bank_accounts.reject(account=account, actor="olga", reason="False paper", now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "FAILED"
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 10_000_000
    with pytest.raises(NotAllowed):
        approvals.approve_for_team(payout=payout, user=paula, reason="Fine", now=clock.now())


def test_withdrawal_that_waits_ends_when_the_merchant_replaces_its_account(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = ask(account, gabriel, 100_000)
    second = entered(merchant, "99988877766")
    bank_accounts.verify(account=second, actor="olga", reason="Seen", now=clock.now())
    payout.refresh_from_db()
    assert (payout.status, payout.account_number) == ("FAILED", "12345678901")
    assert "not the verified one any more" in payout.failure_reason
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 10_000_000
    with pytest.raises(NotAllowed):
        approvals.approve_for_team(payout=payout, user=paula, reason="Fine", now=clock.now())


@pytest.mark.parametrize("change", ["account", "rejected", "nit"])
def test_approved_withdrawal_is_not_sent_when_its_account_is_not_the_verified_one_any_more(
    account: BankAccount, merchant: Merchant, gabriel: User, change: str
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = ask(account, gabriel, 100_000)
    approvals.approve_for_team(payout=payout, user=paula, reason="Fine", now=clock.now())
    if change == "account":
        second = entered(merchant, "99988877766")
        bank_accounts.verify(account=second, actor="olga", reason="Seen", now=clock.now())
    elif change == "rejected":
        bank_accounts.reject(account=account, actor="olga", reason="False", now=clock.now())
    else:
        LegalData.objects.update(nit="860034313")
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "FAILED"
    assert "not the verified one any more" in payout.failure_reason
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 10_000_000


def test_approved_withdrawal_is_sent_to_the_account_that_is_still_verified(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = ask(account, gabriel, 100_000)
    approvals.approve_for_team(payout=payout, user=paula, reason="Fine", now=clock.now())
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status not in ("PENDING", "FAILED")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_account_replaced_at_the_same_instant_leaves_no_withdrawal_to_it_that_may_be_sent(
    account: BankAccount, merchant: Merchant, gabriel: User, attempt: int
) -> None:
    credit(merchant)
    paula = person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    waiting = ask(account, gabriel, 100_000, "t-0")

    def approve() -> None:
        approvals.approve_for_team(payout=waiting, user=paula, reason="Fine", now=clock.now())

    results = run_concurrently(
        [
            lambda: entered(merchant, "99988877766"),
            approve,
            *(lambda n=number: ask(account, gabriel, 50_000, f"t-{n}") for number in range(1, 4)),
        ]
    )
    expected = (NotAllowed, withdrawals.AccountNotVerified)
    failed = [one for one in results if isinstance(one, Exception)]
    assert all(isinstance(one, expected) for one in failed), failed
    engine.process_due(now=clock.now())
    assert set(Payout.objects.values_list("status", flat=True)) == {"FAILED"}
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 10_000_000
    assert not ledger.verify().problems


def test_the_same_form_withdraws_once(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    assert ask(account, gabriel, 100_000).pk == ask(account, gabriel, 100_000).pk
    most = withdrawals.offer(merchant).most
    assert ask(account, gabriel, most, "all").pk == ask(account, gabriel, most, "all").pk
    assert Payout.objects.count() == Withdrawal.objects.count() == 2


def test_all_of_the_balance_leaves_nothing(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    payout = ask(account, gabriel, withdrawals.offer(merchant).most)
    assert payout.amount + payout.fee_amount == 10_000_000
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 0
    with pytest.raises(withdrawals.NothingToWithdraw):
        ask(account, gabriel, withdrawals.offer(merchant).most, "t-2")
    with pytest.raises(InsufficientBalance):
        ask(account, gabriel, 50_000, "t-3")


def test_two_merchants_have_an_account_each(legal: LegalData, merchant: Merchant) -> None:
    other = MerchantFactory(name="Otra")
    LegalData.objects.create(merchant=other, legal_name="Otra S.A.", nit="860034313")
    assert entered(merchant).pk != entered(other).pk
    assert BankAccount.objects.filter(status="UNVERIFIED").count() == 2
