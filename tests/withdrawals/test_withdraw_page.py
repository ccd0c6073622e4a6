"""Withdrawals in the console: the form, its check, and where a withdrawal stands."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import roles
from payments.console.subjects import facts_of
from payments.payout.models import Payout
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import withdrawals
from tests.admin.conftest import Console, credit, person, url
from tests.support.merchant_staff import browser_of, person_of
from tests.withdrawals.conftest import ask
from tests.withdrawals.forms import given

pytestmark = pytest.mark.django_db


def withdraw(boss: Console, account: BankAccount, **typed: str) -> tuple[str, Any]:
    """The page of the check, and what sending it does."""
    name = "withdrawals_bankaccount_withdraw"
    check = boss.submit(name, account.pk, **typed)
    assert check.status_code == 200, check.content
    assert not Payout.objects.exists()
    again = {**dict(check.context["hidden"]), "form_token": check.context["form_token"]}
    return check.content.decode(), boss.post(url(name, account.pk), again)


def test_page_of_a_withdrawal_and_the_list_say_when_the_money_arrives(
    account: BankAccount, gabriel: User, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    with transaction.atomic():
        credit(merchant)
    boss, expected = browser_of(gabriel), "Banks book on business days: expect it on"
    form = boss.page("withdrawals_bankaccount_withdraw", account.pk)
    assert expected in form.content.decode()
    part = {"how_much": "part", "amount": "50,000"}
    check, asked = withdraw(boss, account, **part)
    assert expected in check
    payout = Payout.objects.get()
    assert asked.headers["Location"] == url("payout_payout_change", payout.pk)
    told = boss.get(asked.headers["Location"]).content.decode()
    assert f"Withdrawal to {account}" in told
    assert "at the latest, if it is sent today" in told
    sent = datetime(2026, 3, 20, 15, tzinfo=UTC)  # a Friday before a holiday on Monday
    Payout.objects.filter(pk=payout.pk).update(sent_at=sent)
    shown = boss.page("withdrawals_bankaccount_changelist").content.decode()
    assert "on 24 Mar 2026 at the latest" in shown


def test_a_person_of_the_merchant_withdraws_in_the_console(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    boss: Console = browser_of(gabriel)
    page = boss.page("withdrawals_bankaccount_withdraw", account.pk).content.decode()
    assert "10.000.000" in page
    asking = "withdrawals_bankaccount_withdraw"
    for nothing_clear in ({}, {"how_much": "part"}, {"how_much": "part", "amount": "x"}):
        assert boss.submit(asking, account.pk, **nothing_clear).status_code == 400
    assert not Payout.objects.exists()
    check, done = withdraw(boss, account, how_much="part", amount="250000")
    for shown in ("250.000 COP", "Bancolombia · ", "123···8901", "Saldo después", "9.747.500 COP"):
        assert shown in check, shown
    assert done.status_code == 302, done.content
    (payout,) = Payout.objects.all()
    assert payout.amount == 250_000
    shown = boss.page("withdrawals_bankaccount_change", account.pk).content.decode()
    assert "250.000" in shown
    lucia = browser_of(person_of(merchant, "lucia"))
    assert lucia.page("withdrawals_bankaccount_withdraw", account.pk).status_code == 403


def test_all_of_the_balance_is_withdrawn_with_one_choice(
    account: BankAccount, merchant: Merchant, gabriel: User
) -> None:
    credit(merchant)
    most = withdrawals.offer(merchant).most
    # An amount that was typed before the choice does not count.
    _check, done = withdraw(browser_of(gabriel), account, how_much="all", amount="250000")
    assert done.status_code == 302, done.content
    assert Payout.objects.get().amount == most


@pytest.mark.parametrize("typed", [{"how_much": "all"}, {"how_much": "part", "amount": "6000000"}])
def test_a_check_that_is_sent_twice_withdraws_once_and_leads_to_the_withdrawal(
    account: BankAccount, merchant: Merchant, gabriel: User, typed: dict[str, str]
) -> None:
    credit(merchant)
    boss, name = browser_of(gabriel), "withdrawals_bankaccount_withdraw"
    check = boss.submit(name, account.pk, **typed)
    pressed = {**dict(check.context["hidden"]), "form_token": check.context["form_token"]}
    answers = [boss.post(url(name, account.pk), pressed) for _ in range(2)]
    (payout,) = Payout.objects.all()
    place = url("payout_payout_change", payout.pk)
    assert [each.headers.get("Location") for each in answers] == [place, place]


def test_withdrawal_is_checked_again_if_the_balance_changed_after_its_check(
    account: BankAccount, merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    boss, name = browser_of(gabriel), "withdrawals_bankaccount_withdraw"
    check = boss.submit(name, account.pk, how_much="all")
    ask(account, gabriel, 100_000)
    again = {**dict(check.context["hidden"]), "form_token": check.context["form_token"]}
    page = boss.post(url(name, account.pk), again)
    assert page.status_code == 200
    assert "check the figures again" in page.content.decode()
    assert Payout.objects.count() == 1
    edited = boss.post(url(name, account.pk), {**again, "edit": "1"}).content.decode()
    assert 'name="how_much"' in edited


def test_withdrawal_stands_below_the_withdrawals_alone(
    account: BankAccount, merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    payout = ask(account, gabriel, 100_000)
    page = browser_of(gabriel).page("payout_payout_change", payout.pk).content.decode()
    marked = re.findall(r'<a href="([^"]+)" class="active" aria-current="page"', page)
    assert marked == [url("withdrawals_bankaccount_changelist")]


def test_page_of_withdrawals_leads_to_the_withdrawal_and_has_no_search_of_its_one_account(
    account: BankAccount, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    page = browser_of(gabriel).page("withdrawals_bankaccount_changelist").content.decode()
    assert "Change the account" in page
    assert f"{account.pk}/withdraw/" in page
    assert 'id="searchbar"' not in page
    assert "shell-tabs" not in page
    operators = person("olga", roles.APPROVER).page("withdrawals_bankaccount_changelist")
    assert 'id="searchbar"' in operators.content.decode()


def test_a_withdrawal_is_told_as_one_and_its_nit_raises_no_doubt(
    account: BankAccount, merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    paula = browser_of(person_of(merchant, "paula", roles.MERCHANT_APPROVER))
    payout = ask(account, gabriel, 100_000)
    title = f"Withdrawal to {account}"
    (card,) = [card for card in paula.page("index").context["cards"] if card["value"]]
    assert [str(task.what) for task in card["tasks"]] == [title]
    assert facts_of([payout.pk])[payout.pk].operation == "Withdrawal"
    for reader in (paula, person("olga", roles.APPROVER)):
        record = reader.page("payout_payout_change", payout.pk).content.decode()
        assert "check digit" not in record
    # One of the time when withdrawals had no check digit, and one that is mistyped.
    Payout.objects.filter(pk=payout.pk).update(recipient_document="890903938")
    assert "check digit" not in paula.page("payout_payout_change", payout.pk).content.decode()
    Payout.objects.filter(pk=payout.pk).update(recipient_document="8909039381")
    record = paula.page("payout_payout_change", payout.pk).content.decode()
    assert "Compare it with the RUT" in record
    assert "Ask the merchant" not in record


def test_second_person_reads_that_a_withdrawal_goes_to_the_merchants_own_account(
    account: BankAccount, merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    paula = browser_of(person_of(merchant, "paula", roles.MERCHANT_APPROVER))
    check = browser_of(gabriel).submit(
        "withdrawals_bankaccount_withdraw", account.pk, how_much="all"
    )
    facts = dict(check.context["facts"])
    assert facts["Waits for"] == "the approval of one colleague (paula)"
    assert facts["Holder"] == "Café Andino S.A.S., NIT 890.903.938-8"
    payout = ask(account, gabriel, 100_000)
    record = paula.page("payout_payout_change", payout.pk).content.decode()
    assert "NIT 8909039388" in record
    for words in ("Approve the withdrawal", "Reject the withdrawal"):
        assert words in record, words
    page = paula.page("payout_payout_approve_team", payout.pk).content.decode()
    assert "It goes to your own account, verified on " in page
    for wrong in ("New beneficiary", "payout"):
        assert wrong not in re.sub(r"<[^>]*>", "", page.partition("<main")[2]), wrong
    done = paula.submit("payout_payout_reject_team", payout.pk, reason="Not now")
    said = paula.get(done.headers["Location"]).content.decode()
    assert "Withdrawal rejected." in said


def test_operator_who_decides_reads_whose_account_a_withdrawal_goes_to(
    account: BankAccount, merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    Merchant.objects.filter(pk=merchant.pk).update(payout_approval_above=1)
    merchant.refresh_from_db()
    account.refresh_from_db()
    payout = ask(account, gabriel, 100_000)
    page = person("olga", roles.APPROVER).page("payout_payout_approve", payout.pk)
    assert "It goes to the merchant&#x27;s own account, verified on " in page.content.decode()


def test_legal_data_are_asked_for_before_the_form_of_an_account(
    merchant: Merchant, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    boss = browser_of(gabriel)
    page = boss.page("withdrawals_bankaccount_enter").content.decode()
    assert "Give the legal data of your business first" in page
    assert url("merchants_merchant_set_legal_data", merchant.pk) in page
    assert 'name="account_number"' not in page
    LegalData.objects.create(merchant=merchant, legal_name="Café Andino", nit="890903938")
    page = boss.page("withdrawals_bankaccount_enter").content.decode()
    assert 'name="account_number"' in page


def test_form_of_an_account_says_above_it_that_the_file_is_to_be_chosen_again(
    merchant: Merchant, legal: LegalData, gabriel: User, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    page = browser_of(gabriel).submit(
        "withdrawals_bankaccount_enter", merchant=merchant.pk, **{**given(), "account_number": ""}
    )
    assert page.status_code == 400
    above = page.content.decode().partition('id="errors"')
    assert "Choose the file again: it is not kept." in above[0]
    assert 'href="#id_account_number"' in above[2]
    # The usual banks are the first.
    (_empty, (group, first), *_others) = page.context["form"].fields["bank"].choices
    assert (group, first[0][0]) == ("Most used", "bancolombia")
