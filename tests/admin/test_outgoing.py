"""What the console's pages of top-ups and bill payments have in common, held against both."""

from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core.models import AuditEntry, Transition
from payments.ledger import services as ledger
from payments.ledger.models import Entry, Posting
from payments.simulator import callbacks, store
from tests.admin.conftest import (
    ACCESS_QUERIES,
    PROOF,
    REASON,
    Console,
    assert_postings_shown,
    move_shown,
    url,
)
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_console import SCENES, Scene, completes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds", "operators")]
ACTS = ["resolve", "ask_rail", "acknowledge"]


@pytest.fixture(params=SCENES)
def scene(request: pytest.FixtureRequest) -> Scene:
    return SCENES[request.param]


@pytest.fixture
def done(scene: Scene, api: ApiClient) -> Any:
    """Completed, with a ticket."""
    payment = scene.make(api)
    assert payment.status == "COMPLETED"
    return payment


@pytest.fixture
def doubtful(scene: Scene, api: ApiClient) -> Any:
    return scene.doubtful(api)


@pytest.fixture
def contradicted(console: Console, scene: Scene, doubtful: Any) -> Any:
    """Resolved as failed by hand; then the rail said that it was paid."""
    form = {"outcome": "FAILED", "proof": PROOF}
    assert console.submit(f"{scene.pages}_resolve", doubtful.pk, **form).status_code == 302
    scene.contradict(doubtful)
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == ("FAILED", True)
    return doubtful


def snapshot(scene: Scene) -> tuple[Any, ...]:
    """Everything an act could change."""
    rows = list(scene.model.objects.order_by("pk").values())
    return rows, AuditEntry.objects.count(), Posting.objects.count()


def test_page_of_a_payment_shows_its_ids_and_authorization(
    console: Console, scene: Scene, done: Any
) -> None:
    listed = console.page(f"{scene.pages}_changelist").content.decode()
    assert done.pk in listed
    page = console.page(f"{scene.pages}_change", done.pk).content.decode()
    for move in Transition.objects.filter(subject_id=done.pk):
        assert move_shown(move.subject_type, move.from_state, move.to_state) in page
    assert_postings_shown(done, page)
    for fact in (done.provider_reference, done.idempotency_key, done.requested_by):
        assert fact in page
    # The ticket.
    assert ">Comprobante<" in "".join(page.split())
    assert done.authorization
    assert page.count(done.authorization) == 2
    assert done.provider_id in page


def test_there_is_no_ticket_before_it_is_paid(
    console: Console, scene: Scene, doubtful: Any
) -> None:
    page = console.page(f"{scene.pages}_change", doubtful.pk).content.decode()
    assert "Ticket" not in page
    # It began as PROCESSING: no move led there.
    assert "PENDING" not in page


def test_what_others_sent_is_text(console: Console, scene: Scene, done: Any) -> None:
    evil = "<script>alert(1)</script>"
    Merchant.objects.update(name=evil)
    texts = {"idempotency_key": evil, "provider_id": evil, "failure_reason": evil}
    own = {"topup": {"operator_name": evil}, "bill": {"agreement_name": evil}}
    scene.model.objects.filter(pk=done.pk).update(**texts, **own[scene.product.value])
    for page in (
        console.page(f"{scene.pages}_changelist"),
        console.page(f"{scene.pages}_change", done.pk),
        console.page(f"{scene.pages}_resolve", done.pk),
    ):
        assert page.status_code == 200
        assert evil not in page.content.decode()
        assert "&lt;script&gt;alert(1)" in page.content.decode()


def test_search_of_the_list_finds_payments(console: Console, scene: Scene, api: ApiClient) -> None:
    payment, other = scene.make(api, key="my-key"), scene.make(api, "clean", key="my-key-2")
    for term in (payment.pk, payment.provider_reference, "my-key", " my-key "):
        page = console.page(f"{scene.pages}_changelist", q=term).content.decode()
        assert url(f"{scene.pages}_change", payment.pk) in page, term
        assert url(f"{scene.pages}_change", other.pk) not in page, term
    for term in ("my-ke", "bil_zzz", "top_zzz", "tor_0", "bor_0", "%", "💰", "\x00"):
        assert console.page(f"{scene.pages}_changelist", q=term).status_code == 200
    assert (
        payment.pk in console.page(f"{scene.pages}_changelist", q=payment.pk[:-4]).content.decode()
    )


def test_filters_of_the_list_narrow_payments(
    console: Console, scene: Scene, done: Any, doubtful: Any
) -> None:
    both = {done.pk, doubtful.pk}
    for query, expected in (
        ({"status__exact": "COMPLETED"}, {done.pk}),
        ({"merchant__id__exact": done.merchant_id}, both),
        ({"merchant__id__exact": "mer_0"}, set()),
        ({"created_at_from": "2020-01-01", "created_at_to": "2099-01-01"}, both),
        ({"created_at_to": "2020-01-01"}, set()),
        ({"exceptions": "operator"}, {doubtful.pk}),
        ({"exceptions": "nonsense"}, both),
    ):
        page = console.page(f"{scene.pages}_changelist", **query).content.decode()
        assert {pk for pk in both if url(f"{scene.pages}_change", pk) in page} == expected, query


def test_the_first_page_counts_the_exceptions(
    console: Console, scene: Scene, doubtful: Any
) -> None:
    cards = {str(card["link"]): card["value"] for card in console.page("index").context["cards"]}
    assert cards[f"{url(f'{scene.pages}_changelist')}?exceptions=operator"] == 1


def test_a_merchants_page_leads_to_them(console: Console, scene: Scene, done: Any) -> None:
    name = {"topup": "topups", "bill": "bills"}[scene.product.value]
    hop = console.page(f"merchants_merchant_{name}", done.merchant_id)
    assert hop.url == f"{url(f'{scene.pages}_changelist')}?merchant__id__exact={done.merchant_id}"


def test_payments_are_never_added_changed_or_deleted(
    console: Console, scene: Scene, done: Any
) -> None:
    before = snapshot(scene)
    for address in (
        url(f"{scene.pages}_add"),
        url(f"{scene.pages}_change", done.pk),
        url(f"{scene.pages}_delete", done.pk),
    ):
        assert console.post(address, {"post": "yes", "status": "FAILED"}).status_code == 403
    assert snapshot(scene) == before


# Acts.


@pytest.mark.parametrize("outcome", ["COMPLETED", "FAILED", "REFUNDED"])
def test_an_operator_resolves_what_the_rail_cannot_tell(
    console: Console, scene: Scene, merchant: Merchant, doubtful: Any, outcome: str
) -> None:
    form = {"outcome": outcome, "proof": PROOF}
    assert console.submit(f"{scene.pages}_resolve", doubtful.pk, **form).status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == (outcome, False)
    spent = doubtful.debit if outcome == "COMPLETED" else 0
    assert balance(merchant) == (10_000_000 - spent, 0)
    assert not ledger.verify().problems
    row = AuditEntry.objects.get(action=f"{scene.model._meta.model_name}.resolved")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    page = console.page(f"{scene.pages}_change", doubtful.pk).content.decode()
    assert PROOF in page


def test_the_rail_is_asked_at_once(
    console: Console, scene: Scene, doubtful: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callbacks, "send", lambda *_args: 0)  # the callback is lost
    completes(doubtful)
    doubtful.refresh_from_db()
    assert doubtful.status == "PROCESSING"
    assert console.submit(f"{scene.pages}_ask_rail", doubtful.pk).status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == ("COMPLETED", False)
    row = AuditEntry.objects.get(action=f"{scene.model._meta.model_name}.asked")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    assert store.executions(doubtful.pk) == 1


@pytest.mark.parametrize(("loss", "lost"), [("yes", 1), ("no", 0)])
def test_a_contradiction_is_acknowledged(
    console: Console, scene: Scene, contradicted: Any, loss: str, lost: int
) -> None:
    form = {"loss": loss, "proof": PROOF}
    assert console.submit(f"{scene.pages}_acknowledge", contradicted.pk, **form).status_code == 302
    contradicted.refresh_from_db()
    assert (contradicted.status, contradicted.needs_operator) == ("FAILED", False)
    kind = f"{scene.product.value}_lost"
    assert Entry.objects.filter(kind=kind, subject_id=contradicted.pk).count() == lost
    assert not ledger.verify().problems
    row = AuditEntry.objects.get(action=f"{scene.model._meta.model_name}.acknowledged")
    assert row.details == {"proof": PROOF, "loss": bool(lost)}
    again = console.submit(f"{scene.pages}_acknowledge", contradicted.pk, **form)
    assert again.status_code == 400


@pytest.mark.parametrize("act", ACTS)
def test_an_act_asks_first_and_is_for_those_who_may(
    ana: Any,
    console: Console,
    clerk: Console,
    visitor: Console,
    scene: Scene,
    doubtful: Any,
    act: str,
) -> None:
    address = url(f"{scene.pages}_{act}", doubtful.pk)
    form = {"form_token": "x", "reason": REASON, "outcome": "FAILED", "proof": PROOF}
    before = snapshot(scene)
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(ana)
    assert forger.post(address, form).status_code == 403
    assert clerk.get(address).status_code == 403
    assert clerk.post(address, form).status_code == 403
    assert visitor.post(address, form).status_code == 302
    assert address not in clerk.page(f"{scene.pages}_change", doubtful.pk).content.decode()
    assert console.get(address).status_code == 200
    no_reason = {"outcome": "FAILED", "loss": "no", "proof": PROOF, "reason": " "}
    assert console.submit(f"{scene.pages}_{act}", doubtful.pk, **no_reason).status_code == 400
    assert snapshot(scene) == before


@pytest.mark.parametrize(
    ("fixture", "offered"),
    [
        ("done", {"resolve"}),
        ("doubtful", {"ask_rail", "resolve"}),
        ("contradicted", {"acknowledge"}),
    ],
)
def test_only_what_would_do_something_is_offered(
    console: Console, scene: Scene, request: pytest.FixtureRequest, fixture: str, offered: set[str]
) -> None:
    payment = request.getfixturevalue(fixture)
    page = console.page(f"{scene.pages}_change", payment.pk).content.decode()
    assert {act for act in ACTS if url(f"{scene.pages}_{act}", payment.pk) in page} == offered


def test_queries_do_not_grow(
    console: Console, scene: Scene, api: ApiClient, django_assert_max_num_queries: Any
) -> None:
    for _ in range(8):
        payment = scene.make(api)
    with django_assert_max_num_queries(8 + ACCESS_QUERIES):
        console.page(f"{scene.pages}_changelist")
    with django_assert_max_num_queries(12 + ACCESS_QUERIES):
        console.page(f"{scene.pages}_change", payment.pk)
