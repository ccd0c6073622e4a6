"""The console's pages of payouts: to look at, and the acts on those that wait for people."""

import itertools
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import AuditEntry, Transition
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingState
from payments.providers.simulator import payout_books, payout_callbacks, payout_control
from tests.admin.conftest import REASON, Console, url
from tests.factories import key_payout_body, payout_body
from tests.fixtures import ApiClient

pytestmark = pytest.mark.django_db
_keys = itertools.count(1)
PROOF = "Extracto del 3 de marzo, folio 18"


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    credit(merchant)


def credit(merchant: Merchant) -> None:
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency="COPM",
        amount=Decimal(10_000_000),
        reference=f"console-{next(_keys)}",
        now=clock.now(),
    )


def send(api: ApiClient, body: Any = None, key: str = "") -> Payout:
    """A payout as a merchant asks for it."""
    headers = {"Idempotency-Key": key or f"console-{next(_keys)}"}
    answer = api.post("/payout", body or payout_body(), headers=headers)
    assert answer.status_code == 201, answer.content
    return Payout.objects.get(pk=answer.body["data"]["payoutId"])


def balance(merchant: Merchant) -> tuple[Decimal, Decimal]:
    found = ledger.balances(merchant.pk)["COPM"]
    return found["available"], found["held"]


@pytest.fixture
def pending(api: ApiClient) -> Payout:
    """Not handed to the rail yet."""
    return send(api)


@pytest.fixture
def waiting(api: ApiClient, merchant: Merchant) -> Payout:
    """Above the threshold that beto set."""
    Merchant.objects.filter(pk=merchant.pk).update(
        payout_approval_above=50_000, payout_approval_set_by="beto"
    )
    return send(api)


@pytest.fixture
def doubtful(api: ApiClient) -> Payout:
    """At the rail since yesterday; nobody knows."""
    with time_machine.travel(clock.now() - timedelta(days=1)):
        payout = send(api)
        engine.act_due(now=clock.now())
    Payout.objects.filter(pk=payout.pk).update(needs_operator=True)
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    return payout


@pytest.fixture
def completed(api: ApiClient) -> Payout:
    """The beneficiary has the money."""
    payout = send(api)
    assert api.post(f"/sandbox/payout/{payout.pk}", {"status": "COMPLETED"}).status_code == 200
    payout.refresh_from_db()
    return payout


def test_it_works(console: Console, completed: Payout) -> None:
    listed = console.page("payout_payout_changelist").content.decode()
    assert completed.pk in listed
    assert "100.000 COP" in listed
    page = console.page("payout_payout_change", completed.pk).content.decode()
    for move in Transition.objects.filter(subject_id=completed.pk):
        assert f"{move.from_state} → {move.to_state}" in page
    for posting in Posting.objects.filter(entry__subject_id=completed.pk):
        assert posting.account.code in page
    for fact in (completed.provider_reference, completed.provider_id, completed.idempotency_key):
        assert fact in page
    assert "79.123.456" in page
    assert "12345678901" in page


@pytest.mark.parametrize(
    ("body", "shown", "hidden"),
    [
        (payout_body(), "···8901", "12345678901"),
        (key_payout_body("PHONE", "3001234567"), "···4567", "3001234567"),
        (key_payout_body("ID", "123"), "···3", "ID 123"),
    ],
)
def test_private_numbers_are_masked_in_the_list(
    console: Console, api: ApiClient, body: Any, shown: str, hidden: str
) -> None:
    send(api, body)
    page = console.page("payout_payout_changelist").content.decode()
    assert shown in page
    assert "CC ···3456" in page
    for number in (hidden, "79123456", "79.123.456"):
        assert number not in page


def test_what_the_merchant_sent_is_text(console: Console, api: ApiClient, waiting: Payout) -> None:
    evil = "<script>alert(1)</script>"
    body = payout_body(recipientName=evil, recipientDocNumber=evil, description=evil[:40])
    payout = send(api, body, key=evil)
    Payout.objects.filter(pk=payout.pk).update(
        failure_reason=evil, provider_id=evil, account_number=evil[:20]
    )
    pages = [
        console.page("payout_payout_changelist"),
        console.page("payout_payout_changelist", q=evil),
        console.page("payout_payout_change", payout.pk),
        console.page("payout_payout_approve", payout.pk),
    ]
    done = console.submit("payout_payout_reject", payout.pk, reason=evil)
    assert done.status_code == 302
    for page in [*pages, console.page("payout_payout_change", payout.pk)]:
        assert page.status_code == 200
        assert evil not in page.content.decode()
        assert "&lt;script&gt;alert(1)" in page.content.decode()


@pytest.mark.parametrize(
    "term", ["<id>", "<half id>", "<reference>", "my-key", " my-key ", "79123456", "79.123.456"]
)
def test_payouts_are_found(console: Console, api: ApiClient, term: str) -> None:
    payout = send(api, key="my-key")
    other = send(api, payout_body(recipientDocNumber="1020304050"), key="my-key-2")
    asked = {
        "<id>": payout.pk,
        "<half id>": payout.pk[:-4],
        "<reference>": payout.provider_reference,
    }.get(term, term)
    page = console.page("payout_payout_changelist", q=asked).content.decode()
    assert url("payout_payout_change", payout.pk) in page
    if term != "<half id>":
        assert url("payout_payout_change", other.pk) not in page


@pytest.mark.parametrize("term", ["my-ke", "po_zzz", "por_0", "9123456", "%", "💰"])
def test_nothing_else_is_found(console: Console, api: ApiClient, term: str) -> None:
    payout = send(api, key="my-key")
    response = console.page("payout_payout_changelist", q=term)
    assert response.status_code == 200
    assert url("payout_payout_change", payout.pk) not in response.content.decode()


def test_payouts_are_filtered(
    console: Console, completed: Payout, doubtful: Payout, waiting: Payout
) -> None:
    everything = {completed.pk, doubtful.pk, waiting.pk}
    for query, expected in (
        ({"status__exact": "COMPLETED"}, {completed.pk}),
        ({"network__exact": "BREB"}, set()),
        ({"currency__exact": "COPM"}, everything),
        ({"merchant__id__exact": completed.merchant_id}, everything),
        ({"merchant__id__exact": "mer_0"}, set()),
        ({"created_at_from": "2020-01-01", "created_at_to": "2099-01-01"}, everything),
        ({"created_at_to": "2020-01-01"}, set()),
        ({"exceptions": "all"}, {doubtful.pk, waiting.pk}),
        ({"exceptions": "operator"}, {doubtful.pk}),
        ({"exceptions": "approval"}, {waiting.pk}),
        ({"exceptions": "nonsense"}, everything),
    ):
        page = console.page("payout_payout_changelist", **query).content.decode()
        found = {pk for pk in everything if url("payout_payout_change", pk) in page}
        assert found == expected, query


def test_the_first_page_counts_the_exceptions(
    console: Console, doubtful: Payout, waiting: Payout
) -> None:
    page = console.page("index")
    cards = {str(card["link"]): card["value"] for card in page.context["cards"]}
    queue = url("payout_payout_changelist")
    assert cards[f"{queue}?exceptions=approval"] == cards[f"{queue}?exceptions=operator"] == 1
    assert url("payout_payout_changelist") in page.content.decode()


def test_payouts_are_never_added_changed_or_deleted(console: Console, completed: Payout) -> None:
    before = list(Payout.objects.values())
    for address in (
        url("payout_payout_add"),
        url("payout_payout_change", completed.pk),
        url("payout_payout_delete", completed.pk),
    ):
        assert console.post(address, {"post": "yes", "status": "FAILED"}).status_code == 403
    listed = console.page("payout_payout_changelist").content.decode()
    assert "delete_selected" not in listed
    assert 'name="action"' not in listed
    assert 'name="_save"' not in console.page("payout_payout_change", completed.pk).content.decode()
    assert list(Payout.objects.values()) == before


# Approval.


def test_a_second_person_approves(console: Console, api: ApiClient, waiting: Payout) -> None:
    engine.act_due(now=clock.now())
    assert payout_books.executions(waiting.pk) == 0
    assert console.submit("payout_payout_approve", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert not waiting.needs_approval
    row = AuditEntry.objects.get(action="payout.approved")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, waiting.pk)
    done = api.post(f"/sandbox/payout/{waiting.pk}", {"status": "COMPLETED"})
    assert done.body["data"]["status"] == "COMPLETED"
    again = console.submit("payout_payout_approve", waiting.pk)
    assert again.status_code == 400
    assert AuditEntry.objects.filter(action="payout.approved").count() == 1


def test_a_rejected_payout_gives_the_money_back(
    console: Console, merchant: Merchant, waiting: Payout
) -> None:
    assert balance(merchant) == (9_897_500, 102_500)
    assert console.submit("payout_payout_reject", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_approval) == ("FAILED", False)
    assert balance(merchant) == (10_000_000, 0)
    row = AuditEntry.objects.get(action="payout.rejected")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, waiting.pk)
    assert REASON in console.page("payout_payout_change", waiting.pk).content.decode()


@pytest.mark.parametrize("act", ["approve", "reject"])
def test_whoever_set_the_rule_does_not_decide_under_it(
    console: Console, waiting: Payout, act: str
) -> None:
    Merchant.objects.update(payout_approval_set_by="ana")
    before = snapshot()
    assert console.submit(f"payout_payout_{act}", waiting.pk).status_code == 400
    assert snapshot() == before


def test_the_rule_names_the_operator_who_set_it(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    form = {"name": merchant.name, "payout_enabled": "on", "currencies": ["COP"]}
    keys = {"api_keys-TOTAL_FORMS": "0", "api_keys-INITIAL_FORMS": "0"}
    for wrong in ("-1", "many"):
        refused = console.submit(
            "merchants_merchant_change", merchant.pk, payout_approval_above=wrong, **form, **keys
        )
        assert "payout_approval_above" in refused.context["adminform"].form.errors
    saved = console.submit(
        "merchants_merchant_change", merchant.pk, payout_approval_above="50000", **form, **keys
    )
    assert saved.status_code == 302
    merchant.refresh_from_db()
    assert merchant.payout_approval_above == 50000
    assert merchant.payout_approval_set_by == "ana"
    row = AuditEntry.objects.get(action="merchant.changed")
    assert row.details["new"]["payout_approval_above"] == "50000"
    payout = send(api)
    assert payout.needs_approval
    assert console.submit("payout_payout_approve", payout.pk).status_code == 400
    # Another change by somebody else leaves the rule's author as he is.
    Merchant.objects.update(payout_approval_set_by="beto")
    console.submit(
        "merchants_merchant_change",
        merchant.pk,
        payout_approval_above="50000.00",
        **{**form, "email": "otro@example.com"},
        **keys,
    )
    merchant.refresh_from_db()
    assert (merchant.email, merchant.payout_approval_set_by) == ("otro@example.com", "beto")
    assert console.submit("payout_payout_approve", payout.pk).status_code == 302


# Resolution by hand.


@pytest.mark.parametrize(
    ("outcome", "available"),
    [("COMPLETED", 9_897_500), ("FAILED", 10_000_000), ("REFUNDED", 10_000_000)],
)
def test_an_operator_resolves_what_the_rail_cannot_tell(
    console: Console, merchant: Merchant, doubtful: Payout, outcome: str, available: int
) -> None:
    done = console.submit("payout_payout_resolve", doubtful.pk, outcome=outcome, proof=PROOF)
    assert done.status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == (outcome, False)
    assert balance(merchant) == (available, 0)
    assert not ledger.verify().problems
    row = AuditEntry.objects.get(action="payout.resolved")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    assert row.details == {"outcome": outcome, "proof": PROOF}
    page = console.page("payout_payout_change", doubtful.pk).content.decode()
    assert PROOF in page
    assert f"PROCESSING → {outcome}" in page


@pytest.mark.parametrize("wrong", [{"proof": ""}, {"outcome": "PENDING"}, {"outcome": ""}])
def test_a_resolution_needs_a_proof_and_a_possible_outcome(
    console: Console, doubtful: Payout, wrong: dict[str, str]
) -> None:
    before = snapshot()
    form = {"outcome": "COMPLETED", "proof": PROOF, **wrong}
    assert console.submit("payout_payout_resolve", doubtful.pk, **form).status_code == 400
    assert snapshot() == before


def test_a_completed_payout_can_only_have_come_back(console: Console, completed: Payout) -> None:
    failed = console.submit("payout_payout_resolve", completed.pk, outcome="FAILED", proof=PROOF)
    assert failed.status_code == 400
    back = console.submit("payout_payout_resolve", completed.pk, outcome="REFUNDED", proof=PROOF)
    assert back.status_code == 302
    completed.refresh_from_db()
    assert completed.status == "REFUNDED"


# Asking the rail.


def test_the_rail_is_asked_at_once(
    console: Console, doubtful: Payout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payout_callbacks, "send", lambda *_args: 0)  # the callback is lost
    payout_control.payout_resolve(doubtful.provider_reference, OutgoingState.COMPLETED)
    doubtful.refresh_from_db()
    assert doubtful.status == "PROCESSING"
    assert console.submit("payout_payout_ask_rail", doubtful.pk).status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == ("COMPLETED", False)
    row = AuditEntry.objects.get(action="payout.asked")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    assert console.submit("payout_payout_ask_rail", doubtful.pk).status_code == 400
    assert payout_books.executions(doubtful.pk) == 1


ACTS = ["approve", "reject", "resolve", "ask_rail"]


def snapshot() -> tuple[Any, ...]:
    """Everything an act could change."""
    return (
        list(Payout.objects.order_by("pk").values()),
        AuditEntry.objects.count(),
        Posting.objects.count(),
    )


@pytest.mark.parametrize("act", ACTS)
def test_an_act_asks_first_and_needs_a_reason(
    console: Console, doubtful: Payout, waiting: Payout, act: str
) -> None:
    subject = waiting if act in ("approve", "reject") else doubtful
    form = {"outcome": "COMPLETED", "proof": PROOF}
    before = snapshot()
    address = url(f"payout_payout_{act}", subject.pk)
    page = console.get(address)
    assert page.status_code == 200
    assert "csrfmiddlewaretoken" in page.content.decode()
    for method in ("head", "put", "patch", "delete"):
        getattr(console, method)(address)
    assert console.submit(f"payout_payout_{act}", subject.pk, reason=" ", **form).status_code == 400
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_for_those_who_may(
    ana: Any, clerk: Console, visitor: Console, doubtful: Payout, act: str
) -> None:
    address = url(f"payout_payout_{act}", doubtful.pk)
    form = {"form_token": "x", "reason": REASON, "outcome": "FAILED", "proof": PROOF}
    before = snapshot()
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(ana)
    assert forger.post(address, form).status_code == 403
    assert clerk.get(address).status_code == 403
    assert clerk.post(address, form).status_code == 403
    assert visitor.post(address, form).status_code == 302
    assert address not in clerk.page("payout_payout_change", doubtful.pk).content.decode()
    assert snapshot() == before


@pytest.mark.parametrize(
    ("fixture", "offered"),
    [
        ("pending", set()),
        ("waiting", {"approve", "reject"}),
        ("doubtful", {"ask_rail", "resolve"}),
        ("completed", {"resolve"}),
    ],
)
def test_only_what_would_do_something_is_offered(
    console: Console, request: pytest.FixtureRequest, fixture: str, offered: set[str]
) -> None:
    payout = request.getfixturevalue(fixture)
    page = console.page("payout_payout_change", payout.pk).content.decode()
    assert {act for act in ACTS if url(f"payout_payout_{act}", payout.pk) in page} == offered
    for act in {*ACTS} - offered:
        form = {"outcome": "FAILED", "proof": PROOF}
        assert console.submit(f"payout_payout_{act}", payout.pk, **form).status_code == 400


def test_queries_do_not_grow(
    console: Console, api: ApiClient, completed: Payout, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        send(api, key_payout_body() if number % 2 else None)
    with django_assert_max_num_queries(6):
        console.page("payout_payout_changelist")
    with django_assert_max_num_queries(11):
        console.page("payout_payout_change", completed.pk)


def test_the_console_speaks_spanish(console: Console, waiting: Payout) -> None:
    Merchant.objects.update(payout_approval_set_by="ana")
    spanish = {"Accept-Language": "es"}
    address = url("payout_payout_approve", waiting.pk)
    shown = console.get(address, headers=spanish)
    assert "Aprobar el pago" in shown.content.decode()
    form = {"form_token": shown.context["form_token"], "reason": REASON}
    refused = console.post(address, form, headers=spanish).content.decode()
    assert "Quien fijó la regla no puede decidir bajo ella." in refused
    listed = console.get(url("payout_payout_changelist"), headers=spanish).content.decode()
    assert "Pagos a terceros" in listed
    assert "Exportar a CSV" in listed


def test_a_rule_set_at_onboarding_has_its_author_too(console: Console) -> None:
    form = {"name": "Panadería Ñandú", "currencies": ["COP"], "payout_approval_above": "0"}
    assert console.submit("merchants_merchant_add", **form).status_code == 200
    made = Merchant.objects.get(name="Panadería Ñandú")
    assert (made.payout_approval_above, made.payout_approval_set_by) == (0, "ana")
    shown = console.page("merchants_merchant_payouts", made.pk)
    assert shown.url == f"{url('payout_payout_changelist')}?merchant__id__exact={made.pk}"
