"""A merchant's person makes a payout in the console, and a colleague approves it."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.models import Beneficiary, Payout
from payments.payout.reference import QR_TEXT
from payments.payout.services import approvals, beneficiaries
from payments.payout.services.engine import engine
from tests.admin.conftest import REASON, Console, url
from tests.support.console_forms import as_shown, filled_in
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.hand_payouts import approver, preparer
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = pytest.mark.django_db
PAY = "payout_payout_pay"
OTHER_ACCOUNT = (
    "Other account: earlier payouts to this beneficiary went somewhere else. Confirm the account "
    "by a call to a number that you know."
)
TYPED = {
    "how": "bank",
    "bank": "bancolombia",
    "account_type": "SAVINGS",
    "account_number": "123-456789-01",
    "name": "Juan Pérez",
    "doc_type": "CC",
    "doc_number": "79.123.456",
    "amount": "125.000,50",
    "description": "Nómina",
    "reference": "NOM-7",
    "remember": "on",
}


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, 1_000_000)


@pytest.fixture
def pilar(merchant: Merchant) -> User:
    return preparer(merchant)


@pytest.fixture
def andres(merchant: Merchant) -> User:
    return approver(merchant)


@pytest.fixture
def desk(pilar: User, andres: User) -> Console:
    """Pilar's browser. Andrés may approve."""
    return browser_of(pilar)


def text(answer: Any) -> str:
    return str(answer.content.decode())


def dry_run(desk: Console, **changes: str) -> Any:
    form = {name: value[0] for name, value in as_shown(desk.page(PAY)).items()}
    return desk.post(url(PAY), {**form, **TYPED, **changes})


def ask(desk: Console, shown: Any, **changes: str) -> Any:
    form = {name: value[0] for name, value in filled_in(shown).items()}
    return desk.post(url(PAY), {**form, "step": "ask", **changes}, follow=True)


def test_dry_run_shows_fee_and_balance_and_makes_nothing(desk: Console) -> None:
    page = text(dry_run(desk))
    for figure in ("125.000,50 COP", "2.500 COP", "127.500,50 COP", "872.499,50 COP"):
        assert figure in page
    assert "12345678901" in page
    assert not Payout.objects.exists()
    assert not Beneficiary.objects.exists()


@pytest.mark.parametrize(
    ("key", "shown", "warning"),
    [
        ("3001234567", "**** ****", ""),
        ("3990002004", "L**** Ñ****", ""),
        (
            "3990002003",
            "Ó**** T******",
            "The key is in another name: compare the holder with the beneficiary.",
        ),
        ("3990002001", "", "The rail says that this key takes no money. The payout would fail."),
    ],
)
def test_dry_run_shows_the_masked_holder_of_a_key(
    desk: Console, key: str, shown: str, warning: str
) -> None:
    found = text(dry_run(desk, how="key", key_type="PHONE", key_value=key, name="Lucía Ñáñez"))
    assert shown in found
    for one in (
        "The key is in another name: compare the holder with the beneficiary.",
        "The rail says that this key takes no money. The payout would fail.",
    ):
        assert (said(one) in found) is (one == warning)
    assert not Payout.objects.exists()


def test_request_waits_for_a_colleague_and_keeps_the_beneficiary(
    desk: Console, pilar: User
) -> None:
    answer = ask(desk, dry_run(desk))
    payout = Payout.objects.get()
    assert answer.redirect_chain[-1][0] == url("payout_payout_change", payout.pk)
    assert (payout.needs_team_approval, payout.requested_by) == (True, "pilar")
    assert (payout.reference, payout.account_number) == ("NOM-7", "12345678901")
    kept = Beneficiary.objects.get()
    assert (kept.name, kept.created_by, kept.from_payout) == ("Juan Pérez", "pilar", payout.pk)
    again = desk.post(url(PAY), {**TYPED, "how": "saved", "beneficiary": kept.pk, "amount": "7000"})
    assert "···8901" in text(again)
    assert "12345678901" not in text(again)


def test_colleague_approves_and_the_payout_is_sent(desk: Console, andres: User) -> None:
    ask(desk, dry_run(desk))
    payout = Payout.objects.get()
    second = browser_of(andres)
    home = text(second.get(url("index")))
    assert url("payout_payout_change", payout.pk) in home
    listed = text(second.page("payout_payout_changelist", exceptions="team"))
    assert url("payout_payout_change", payout.pk) in listed
    shown = text(second.page("payout_payout_approve_team", payout.pk))
    assert said("New beneficiary: this is the first payout to this document.") in shown
    assert "12345678901" in shown
    looked = AuditEntry.objects.get(action="personal_data.revealed", subject_id=payout.pk)
    assert looked.actor == "andres"
    assert second.submit("payout_payout_approve_team", payout.pk).status_code == 302
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert AuditEntry.objects.get(action="payout.team_approved").reason == REASON
    timeline = text(second.page("payout_payout_change", payout.pk))
    assert said("A colleague approved it") in timeline
    assert said("The state changed") not in timeline


def test_payout_that_waits_is_to_approve_in_list_and_record(desk: Console) -> None:
    ask(desk, dry_run(desk))
    word = said("To approve")
    for page in ("payout_payout_changelist", "payout_payout_change"):
        args = [Payout.objects.get().pk] if page.endswith("_change") else []
        assert f">{word}<" in text(desk.page(page, *args)).replace("\n", "").replace(" <", "<")


def test_person_who_asked_cannot_approve_even_as_approver(merchant: Merchant, andres: User) -> None:
    both = person_of(merchant, "paola", roles.MERCHANT_PREPARER, also=(roles.MERCHANT_APPROVER,))
    desk = browser_of(both)
    ask(desk, dry_run(desk))
    payout = Payout.objects.get()
    refused = desk.submit("payout_payout_approve_team", payout.pk)
    assert refused.status_code == 400
    payout.refresh_from_db()
    assert payout.needs_team_approval


def looks(payout: Payout) -> int:
    rows = AuditEntry.objects.filter(action="personal_data.revealed", subject_id=payout.pk)
    return rows.count()


def test_each_page_with_whole_numbers_is_in_the_audit_log(desk: Console, andres: User) -> None:
    """Also that of a form that was refused, or came from elsewhere."""
    ask(desk, dry_run(desk))
    payout = Payout.objects.get()
    second, page = browser_of(andres), url("payout_payout_approve_team", payout.pk)
    assert "12345678901" in text(second.post(page))
    assert looks(payout) == 1
    refused = second.submit("payout_payout_approve_team", payout.pk, reason="x" * 600)
    assert refused.status_code == 400
    assert "12345678901" in text(refused)
    assert looks(payout) == 3  # the page was opened, too


def test_person_who_may_not_approve_sees_no_whole_number(merchant: Merchant, andres: User) -> None:
    both = person_of(merchant, "paola", roles.MERCHANT_PREPARER, also=(roles.MERCHANT_APPROVER,))
    desk = browser_of(both)
    ask(desk, dry_run(desk))
    payout = Payout.objects.get()
    shown = text(desk.page("payout_payout_approve_team", payout.pk))
    assert "12345678901" not in shown
    assert looks(payout) == 0


@pytest.mark.parametrize("page", ["payout_payout_approve_team", "payout_payout_reject_team"])
def test_preparer_has_no_page_to_decide(desk: Console, page: str) -> None:
    ask(desk, dry_run(desk))
    assert desk.page(page, Payout.objects.get().pk).status_code == 403


def test_staff_without_the_role_makes_no_payout(merchant: Merchant) -> None:
    assert browser_of(person_of(merchant, "sara")).page(PAY).status_code == 403


def test_operator_makes_no_payout_of_a_merchant(console: Console) -> None:
    assert console.page(PAY).status_code == 403


def test_account_without_payouts_gets_a_plain_answer(desk: Console) -> None:
    assert url(PAY) in desk.page("payout_payout_changelist").content.decode()
    Merchant.objects.update(payout_enabled=False)
    answer = desk.page(PAY)
    assert answer.status_code == 403
    assert url("payout_payout_changelist") in answer.content.decode()
    for name in ("payout_payout_changelist", "payout_beneficiary_changelist"):
        assert url(PAY) not in desk.page(name).content.decode()


def test_double_click_is_one_payout(desk: Console) -> None:
    shown = dry_run(desk)
    first, second = ask(desk, shown), ask(desk, shown)
    assert Payout.objects.count() == 1
    assert first.redirect_chain == second.redirect_chain
    assert said("This payout was made already: here it is.") in text(second)


def test_second_tab_with_the_same_payout_has_to_say_so(desk: Console, merchant: Merchant) -> None:
    first, second = dry_run(desk), dry_run(desk)
    ask(desk, first)
    refused = ask(desk, second)
    assert refused.status_code == 400
    assert Payout.objects.count() == 1
    ask(desk, refused, again="1")
    assert Payout.objects.count() == 2


def test_balance_that_was_spent_in_between_refuses_and_shows_it(
    desk: Console, merchant: Merchant, api: ApiClient
) -> None:
    shown = dry_run(desk, amount="900.000")
    other = browser_of(preparer(merchant, "pedro"))
    ask(other, dry_run(other, amount="500000", account_number="99900011122"))
    refused = ask(desk, shown)
    assert refused.status_code == 400
    assert Payout.objects.count() == 1
    assert balance(merchant) == (497_500, 502_500)
    assert "405.000 COP" in text(refused)


def test_beneficiary_that_changed_after_the_check_is_shown_again(
    desk: Console, pilar: User, merchant: Merchant
) -> None:
    ask(desk, dry_run(desk))
    kept = Beneficiary.objects.get()
    shown = desk.post(url(PAY), {**TYPED, "how": "saved", "beneficiary": kept.pk, "amount": "7000"})
    other = replace(beneficiaries.details_of(kept), account_number="55566677788")
    beneficiaries.change(beneficiary=kept, details=other, user=pilar, now=clock.now())
    refused = ask(desk, shown)
    assert refused.status_code == 400
    assert "···7788" in text(refused)
    assert Payout.objects.count() == 1
    ask(desk, refused)
    assert Payout.objects.latest("created_at").account_number == "55566677788"


def test_changed_fee_is_shown_again(desk: Console) -> None:
    refused = ask(desk, dry_run(desk), fee="100")
    assert refused.status_code == 400
    assert not Payout.objects.exists()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("300 123 4567", "Phone"),
        ("ana@example.com", "E-mail"),
        ("@TIENDA2026", "Alphanumeric"),
        ("0012345678", "Merchant code"),
        ("79.123.456", "Document"),
    ],
)
def test_type_of_a_key_is_known_by_its_form(desk: Console, typed: str, shown: str) -> None:
    answer = dry_run(desk, how="key", key_type="", key_value=typed)
    assert answer.status_code == 200, answer.context["form"].errors
    assert f"{said(shown)} · " in text(answer)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": "1,250"}, "amount"),
        ({"amount": ""}, "amount"),
        ({"amount": "-5"}, "amount"),
        ({"account_number": "12"}, "account_number"),
        ({"bank": ""}, "bank"),
        ({"name": ""}, "name"),
        ({"doc_number": "---"}, "doc_number"),
        ({"how": "key"}, "key_value"),
        ({"how": "key", "key_type": "EMAIL", "key_value": "nadie"}, "key_value"),
        ({"how": "key", "key_value": "@x"}, "key_value"),
        ({"how": "qr", "qr": "000201nonsense"}, "qr"),
        ({"how": "saved", "beneficiary": "ben_00000000000000000000000000"}, "how"),
    ],
)
def test_wrong_field_is_named(desk: Console, changes: dict[str, str], field: str) -> None:
    answer = dry_run(desk, **changes)
    assert answer.status_code == 400
    assert field in answer.context["form"].errors
    assert not Payout.objects.exists()


def test_amount_above_the_cap_stays_on_the_form(desk: Console) -> None:
    answer = dry_run(desk, amount="60.000.000")
    assert answer.status_code == 400
    assert "50.000.000" in text(answer)


def test_qr_code_gives_key_name_and_amount(desk: Console) -> None:
    answer = dry_run(desk, how="qr", qr=QR_TEXT, name="", amount="")
    page = text(answer)
    assert answer.status_code == 200, answer.context["form"].errors
    for shown in ("15.000 COP", "@EJEMPLO123", "TIENDA EJEMPLO"):
        assert shown in page
    ask(desk, answer)
    payout = Payout.objects.get()
    assert (payout.network, payout.key_value) == ("BREB", "@EJEMPLO123")


def test_new_account_of_a_known_person_is_warned_about(
    desk: Console, merchant: Merchant, andres: User
) -> None:
    ask(desk, dry_run(desk))
    first = Payout.objects.get()
    approvals.approve_for_team(payout=first, user=andres, reason="ok!", now=clock.now())
    page = text(dry_run(desk, account_number="55544433322"))
    assert said(OTHER_ACCOUNT) in page


def test_person_without_a_colleague_is_told_that_pasarela_approves(
    merchant: Merchant, pilar: User
) -> None:
    desk = browser_of(pilar)
    shown = dry_run(desk)
    assert said("the approval of Pasarela") in text(shown)
    ask(desk, shown)
    payout = Payout.objects.get()
    assert (payout.needs_approval, payout.needs_team_approval) == (True, False)


def test_form_says_what_the_balance_can_pay_and_what_an_empty_field_needs(desk: Console) -> None:
    assert "1.000.000 COP" in text(desk.page(PAY))
    refused = dry_run(desk, amount="", name="")
    assert said("Enter the amount.") in text(refused)
    assert said("Type the name of the beneficiary.") in text(refused)


def test_form_begins_with_the_saved_beneficiaries(desk: Console) -> None:
    assert desk.page(PAY).context["form"]["how"].value() == "bank"
    ask(desk, dry_run(desk))
    assert desk.page(PAY).context["form"]["how"].value() == "saved"


def test_read_code_is_shown_in_words_and_what_was_typed_stays(desk: Console) -> None:
    form = {**TYPED, "how": "qr", "qr": QR_TEXT, "name": "", "amount": "", "step": "read"}
    answer = desk.post(url(PAY), form)
    assert answer.status_code == 200
    for shown in ("TIENDA EJEMPLO", "@EJEMPLO123", "15.000 COP"):
        assert shown in text(answer)
    filled = answer.context["form"]
    assert (filled["name"].value(), filled["amount"].value()) == ("TIENDA EJEMPLO", "15.000")
    assert filled["doc_number"].value() == TYPED["doc_number"]
    assert not Payout.objects.exists()


def test_list_of_beneficiaries_leads_to_the_form(desk: Console, andres: User) -> None:
    ask(desk, dry_run(desk))
    kept = Beneficiary.objects.get()
    page = desk.page("payout_beneficiary_changelist")
    assert f"{url(PAY)}?to={kept.pk}" in text(page)
    (row,) = page.context["cl"].result_list
    assert row.last_at is None  # it has not arrived
    theirs = browser_of(andres).page("payout_beneficiary_changelist")
    assert url(PAY) not in text(theirs)


def test_text_that_is_no_code_is_named_alone(desk: Console) -> None:
    form = {**TYPED, "how": "qr", "qr": "000201nonsense", "amount": "", "step": "read"}
    answer = desk.post(url(PAY), form)
    assert answer.status_code == 400
    assert set(answer.context["form"].errors) == {"qr"}
