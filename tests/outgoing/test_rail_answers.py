"""What a rail says ends a payment only if it is about that payment, and about all of its calls.

A refusal of one call says nothing of another that may have arrived (payments.outgoing.engine).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.outgoing.engine import SETTLING
from payments.outgoing.models import OutgoingPayment
from payments.providers.ports import (
    Known,
    OutgoingState,
    OutgoingUpdate,
    ProviderError,
    ProviderRefused,
    ProviderTimeout,
)
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import resolve, say
from tests.support.outgoing_products import KINDS, MOST, Kind, id_of

pytestmark = pytest.mark.django_db
FUNDS = 2 * MOST
REFUSED = ProviderRefused("INVALID_REQUEST", "a payment with this reference exists")
SILENT = ProviderTimeout("nothing heard")
# After this nothing that was sent before can still be under way.
LATER = SETTLING + timedelta(seconds=1)
Answer = str | ProviderError | OutgoingUpdate | Callable[[], Any]


@dataclass(slots=True)
class Rail:
    """Says what a test wants it to, one answer after the other. A state is an honest answer."""

    kind: Kind
    to_sends: list[Answer] = field(default_factory=list)
    to_queries: list[Answer] = field(default_factory=list)

    def send(self, port: Any, request: Any, timeout: float) -> OutgoingUpdate:
        """As OutgoingPort.send."""
        return _said(self.to_sends.pop(0), request.reference)

    def query(self, port: Any, known: Known) -> OutgoingUpdate:
        """As OutgoingPort.query."""
        return _said(self.to_queries.pop(0), known.reference)

    def ask(self, payment: OutgoingPayment) -> None:
        """The engine asks about it when it may be sent again."""
        self.kind.engine.query(payment=payment, now=clock.now() + LATER)
        payment.refresh_from_db()


def _said(answer: Answer, reference: str) -> OutgoingUpdate:
    if callable(answer):
        answer = answer()
    if isinstance(answer, ProviderError):
        raise answer
    return answer if isinstance(answer, OutgoingUpdate) else update(reference, str(answer))


def update(reference: str, state: str) -> OutgoingUpdate:
    return OutgoingUpdate(
        reference=reference,
        provider_id="rail-1" if state != "UNKNOWN" else "",
        state=OutgoingState(state),
        occurred_at=clock.now(),
    )


@pytest.fixture(params=KINDS, ids=lambda kind: str(kind.product))
def rail(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Rail:
    """Of each product in turn."""
    outgoing_requests.quiet(settings)
    made = Rail(request.param)
    port = type(made.kind.engine.product.port("simulator"))
    monkeypatch.setattr(port, "send", lambda *given: made.send(*given))
    monkeypatch.setattr(port, "query", lambda *given: made.query(*given))
    return made


@pytest.fixture
def sent(api: ApiClient, merchant: Merchant, rail: Rail) -> Callable[[Answer], OutgoingPayment]:
    """A new payment is sent, and the rail gives this answer."""
    fund(merchant, FUNDS)

    def send(answer: Answer) -> OutgoingPayment:
        rail.to_sends.append(answer)
        made = outgoing_requests.ask(api, "clean", kind=rail.kind)
        rail.kind.engine.process_due(now=clock.now())  # payouts are sent by a worker
        assert not rail.to_sends
        payment: OutgoingPayment = rail.kind.model.objects.get(pk=id_of(made))
        return payment

    return send


@pytest.mark.parametrize(
    ("then", "status"),
    [
        ("COMPLETED", "COMPLETED"),
        ("PENDING", "PROCESSING"),
        (SILENT, "PROCESSING"),
        ("UNKNOWN", "FAILED"),
    ],
    ids=["it arrived", "it is under way", "the rail cannot say", "the rail never heard of it"],
)
def test_a_refused_repetition_fails_only_what_the_rail_does_not_know(
    sent: Callable[[Answer], OutgoingPayment],
    rail: Rail,
    merchant: Merchant,
    then: Answer,
    status: str,
) -> None:
    """It may be refused because the first call arrived after all."""
    payment = sent(SILENT)
    rail.to_queries, rail.to_sends = ["UNKNOWN", then], [REFUSED]
    rail.ask(payment)

    assert (payment.status, rail.to_sends, rail.to_queries) == (status, [], [])
    price = payment.amount + payment.fee_amount
    left = {"PROCESSING": (FUNDS - price, price), "COMPLETED": (FUNDS - price, Decimal(0))}
    assert balance(merchant) == left.get(status, (FUNDS, 0))
    assert not ledger.verify().problems


def test_a_refusal_that_comes_after_another_call_began_fails_nothing(
    sent: Callable[[Answer], OutgoingPayment], rail: Rail, merchant: Merchant
) -> None:
    """The second call has the word: it may have arrived."""

    def sent_again_during_the_call() -> ProviderError:
        rail.to_queries, rail.to_sends = ["UNKNOWN"], [SILENT]
        rail.ask(rail.kind.model.objects.get())
        return REFUSED

    payment = sent(sent_again_during_the_call)
    assert payment.last_sent_at != payment.sent_at
    assert payment.status == "PROCESSING"
    price = payment.amount + payment.fee_amount
    assert balance(merchant) == (FUNDS - price, price)

    rail.to_queries = ["COMPLETED"]
    rail.ask(payment)
    assert (payment.status, balance(merchant)) == ("COMPLETED", (FUNDS - price, 0))


@pytest.mark.parametrize("state", ["COMPLETED", "FAILED", "RETURNED"])
def test_an_answer_about_another_payment_ends_neither(
    sent: Callable[[Answer], OutgoingPayment], rail: Rail, merchant: Merchant, state: str
) -> None:
    """Whether the rail was sent something or asked."""
    other = sent("PENDING")
    about_the_other = update(other.provider_reference, state)
    mine = sent(about_the_other)
    for payment in (mine, other):
        payment.refresh_from_db()
        assert payment.status == "PROCESSING"

    rail.to_queries = [about_the_other]
    rail.ask(mine)
    other.refresh_from_db()
    assert (mine.status, other.status) == ("PROCESSING", "PROCESSING")
    price = sum(payment.amount + payment.fee_amount for payment in (mine, other))
    assert balance(merchant) == (FUNDS - price, price)


def test_the_rails_own_numbers_are_kept_as_they_were_first(
    sent: Callable[[Answer], OutgoingPayment], rail: Rail
) -> None:
    """The merchant has seen them: they stand on tickets."""
    payment = sent("PENDING")
    engine = rail.kind.engine
    say(engine, payment, "PENDING", authorization="A-1")
    before = (payment.provider_id, payment.authorization)
    assert before == ("rail-1", "A-1")
    say(engine, payment, "COMPLETED", authorization="B-2")  # with another number of its own
    assert payment.status == "COMPLETED"
    assert (payment.provider_id, payment.authorization) == before


@pytest.mark.parametrize("state", ["FAILED", "RETURNED"])
def test_however_much_a_rail_says_the_payment_ends(
    sent: Callable[[Answer], OutgoingPayment], rail: Rail, merchant: Merchant, state: str
) -> None:
    payment = sent("PENDING")
    told = update(payment.provider_reference, state)
    rail.to_queries = [replace(told, reason="REFUSED " * 1000)]
    rail.kind.engine.process_due(now=clock.now() + LATER)
    payment.refresh_from_db()
    assert payment.status == {"FAILED": "FAILED", "RETURNED": "REFUNDED"}[state]
    assert payment.failure_reason.startswith("REFUSED REFUSED")
    assert balance(merchant) == (FUNDS, 0)


def test_no_operator_decides_by_hand_while_a_second_call_may_be_under_way(
    sent: Callable[[Answer], OutgoingPayment], rail: Rail, merchant: Merchant
) -> None:
    payment = sent(SILENT)
    rail.to_queries, rail.to_sends = ["UNKNOWN"], [SILENT]
    rail.ask(payment)
    assert payment.last_sent_at is not None
    ends = payment.last_sent_at + SETTLING
    engine = rail.kind.engine
    for outcome in ("FAILED", "REFUNDED"):
        with pytest.raises(NotAllowed, match="under way"):
            resolve(engine, payment, outcome, now=ends - timedelta(seconds=1))
    resolve(engine, payment, "FAILED", now=ends)
    payment.refresh_from_db()
    assert (payment.status, balance(merchant)) == ("FAILED", (FUNDS, 0))
