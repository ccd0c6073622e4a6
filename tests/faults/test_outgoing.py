"""What payouts, top-ups and bill payments promise together: F2 to F4, one answer for each key."""

import threading
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.providers import breaker
from payments.simulator import store
from tests.faults import scaled
from tests.support import outgoing_requests
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.measurements import record
from tests.support.outgoing_products import BEHAVIOURS, KINDS, MOST, PAYOUT, PRICE, Kind, id_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]
# What is known when the request ends, where the rail is called inside it.
AT_ONCE = {"clean": "completed", "refused": "failed"}
# Enough for the work of a busy machine, so that only a silent rail uses it up.
BUDGET_SECONDS = 2
CONCURRENT_REQUESTS = 12

of_each_product = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.product)


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    outgoing_requests.quiet(settings)


@pytest.mark.faults("F2")
def test_a_balance_for_73_pays_73(api: ApiClient, merchant: Merchant) -> None:
    """F2: more threads than money, of all products. No payment is overdrawn or refused early."""
    threads, enough = scaled(200), scaled(73)
    fund(merchant, PRICE * enough)
    kinds = [KINDS[number % len(KINDS)] for number in range(threads)]

    responses = run_concurrently(
        [
            outgoing_requests.asking(api, f"k-{number}", kind=kind)
            for number, kind in enumerate(kinds)
        ]
    )

    found = outgoing_requests.balance(merchant)
    rows = {kind.product.value: kind.model.objects.count() for kind in KINDS}
    open_ = len(outgoing_requests.unsettled())
    answers = outgoing_requests.outcomes(responses)
    record(
        f"{threads} threads, balance for {enough}: answers {dict(answers)}, paid {rows},"
        f" balance {found}",
        requests_at_once=threads,
        paid=sum(rows.values()),
        refused_for_funds=answers[(400, "INSUFFICIENT_BALANCE")],
    )
    assert answers == {(201, None): enough, (400, "INSUFFICIENT_BALANCE"): threads - enough}
    assert sum(rows.values()) == enough
    assert found == {"available": 0, "held": PRICE * open_}
    paid = outgoing_requests.data_of(responses)
    check_invariants([merchant.pk], paid)
    outgoing_requests.scan_until_settled(start=clock.now(), workers=2)
    assert outgoing_requests.balance(merchant) == {"available": 0, "held": 0}
    ends = Counter(row.status for kind in KINDS for row in kind.model.objects.all())
    assert ends == {"COMPLETED": enough}
    check_invariants([merchant.pk], paid)


@of_each_product
@pytest.mark.faults("F3")
def test_a_refusal_burns_nothing(api: ApiClient, merchant: Merchant, kind: Kind) -> None:
    """F3: refused for funds, funded, the same key again."""
    body = kind.body("clean")
    fund(merchant, PRICE - 1)
    refused = outgoing_requests.asking(api, "k-1", kind=kind, body=body)()
    assert (refused.status_code, refused.body["error"]["code"]) == (400, "INSUFFICIENT_BALANCE")
    assert outgoing_requests.balance(merchant) == {"available": PRICE - 1, "held": 0}
    assert not kind.model.objects.exists()
    fund(merchant, Decimal(1))

    response = outgoing_requests.asking(api, "k-1", kind=kind, body=body)()

    assert response.status_code == 201, response.content
    held = PRICE if kind is PAYOUT else 0
    assert outgoing_requests.balance(merchant) == {"available": 0, "held": held}
    record(
        f"{kind.product}: {refused.status_code}, then with the same key {response.status_code}",
        products_refused_and_then_paid_with_the_same_key=1,
    )
    check_invariants([merchant.pk], [response.body["data"]])


@of_each_product
@pytest.mark.faults("F4")
def test_unknown_is_never_failed(
    api: ApiClient, merchant: Merchant, settings: Any, kind: Kind
) -> None:
    """F4: seven behaviours of a provider, two workers, all mixed in the same queue."""
    settings.OUTGOING_BUDGET_SECONDS = BUDGET_SECONDS
    each = scaled(200 if kind is PAYOUT else 100)
    fund(merchant, MOST * each * len(BEHAVIOURS))
    start = clock.now()
    names = [name for _ in range(each) for name in BEHAVIOURS]
    answers = outgoing_requests.ask_all(api, names, kind)
    named = {id_of(data): name for name, data in zip(names, answers, strict=True)}
    asked_seconds = (clock.now() - start).total_seconds()

    seconds = outgoing_requests.scan_until_settled(start=clock.now(), workers=2, limit=600)

    executed = store.executions_by_payment()
    ends = Counter(
        (named[pk], status, executed.get(pk, 0))
        for pk, status in kind.model.objects.values_list("pk", "status")
    )
    doubled = sum(times for (_, _, runs), times in ends.items() if runs > 1)
    wrong = sum(n for (_, status, runs), n in ends.items() if (status == "FAILED") == (runs == 1))
    record(
        f"{len(answers)} payments ({kind.product}) in {asked_seconds:.0f} s, {each} for each of"
        f" {len(BEHAVIOURS)} behaviours: double sends {doubled}, wrong releases {wrong}, settled"
        f" after {seconds} s of the moved clock",
        payments=len(answers),
        double_sends=doubled,
        wrong_releases=wrong,
        settled_after_seconds=float(seconds),
    )
    for (name, status, runs), times in sorted(ends.items()):
        print(f"  {name}: {times} {status}, executed {runs} times each")
    assert doubled == wrong == 0
    assert ends == {
        (name, *(("FAILED", 0) if name == "refused" else ("COMPLETED", 1))): each
        for name in BEHAVIOURS
    }
    assert seconds <= 120
    told = Counter((name, data["status"]) for name, data in zip(names, answers, strict=True))
    if kind is PAYOUT:
        assert {status for _, status in told} == {"PENDING"}
    else:
        # A request that had no time left says that it is processing, and never more than it knows.
        assert {*told} <= {
            *((name, "processing") for name in BEHAVIOURS),
            *AT_ONCE.items(),
        }
    check_invariants([merchant.pk], answers)


def one_of_many_goes_on(kind: Kind, requests: int) -> Callable[[str], bool]:
    """A circuit that opens when all have looked for their key and one of them has gone on: the
    others are refused, once its payment is on the books.
    """
    all_here, turn, asked = threading.Barrier(requests), threading.Lock(), threading.local()
    first: list[int] = []
    committed = threading.Event()

    def is_open(_circuit: str) -> bool:
        if hasattr(asked, "once"):
            return False
        asked.once = True
        all_here.wait(30)
        with turn:
            is_first = not first
            first.append(threading.get_ident())
        if is_first:
            return False
        while not committed.wait(0.01):
            if kind.model.objects.exists():
                committed.set()
        return True

    return is_open


def assert_one_payment(kind: Kind, merchant: Merchant, responses: list[Any]) -> None:
    """All have the same answer, and one of them is not a replay."""
    assert outgoing_requests.outcomes(responses) == {(201, None): CONCURRENT_REQUESTS}
    answers = outgoing_requests.data_of(responses)
    assert {id_of(data) for data in answers} == {kind.model.objects.get().pk}
    replayed = Counter(response.headers.get("Idempotent-Replayed") for response in responses)
    assert replayed == {None: 1, "true": CONCURRENT_REQUESTS - 1}
    check_invariants([merchant.pk], answers)


@of_each_product
def test_who_is_refused_although_the_key_has_paid(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The first request with the key has paid by the time that the others are refused for what has
    changed since: they are answered with its payment.
    """
    fund(merchant, PRICE)
    monkeypatch.setattr(breaker, "is_open", one_of_many_goes_on(kind, CONCURRENT_REQUESTS))
    body = kind.body("clean")

    responses = run_concurrently(
        [outgoing_requests.asking(api, "same", kind=kind, body=body)] * CONCURRENT_REQUESTS
    )

    assert_one_payment(kind, merchant, responses)


@of_each_product
def test_a_balance_for_one_and_many_with_one_key(
    api: ApiClient, merchant: Merchant, kind: Kind
) -> None:
    """No request is refused for want of the money that the same key has spent."""
    fund(merchant, PRICE)
    body = kind.body("clean")

    responses = run_concurrently(
        [outgoing_requests.asking(api, "same", kind=kind, body=body)] * CONCURRENT_REQUESTS
    )

    assert_one_payment(kind, merchant, responses)


@of_each_product
def test_a_refusal_of_another_request_with_the_key(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """Who asks for something else with the key is told so, also when he is refused otherwise."""
    fund(merchant, PRICE)
    monkeypatch.setattr(breaker, "is_open", one_of_many_goes_on(kind, 2))
    amount = "amount" if kind is PAYOUT else "amountCop"
    mine = kind.body("clean")
    bodies = [mine, {**mine, amount: mine[amount] - 1000}]

    responses = run_concurrently(
        [outgoing_requests.asking(api, "same", kind=kind, body=body) for body in bodies]
    )

    found = outgoing_requests.outcomes(responses)
    assert found == {(201, None): 1, (400, "IDEMPOTENCY_KEY_REUSED"): 1}
    check_invariants([merchant.pk], outgoing_requests.data_of(responses))


@of_each_product
def test_a_key_that_is_null_is_no_key(api: ApiClient, merchant: Merchant, kind: Kind) -> None:
    fund(merchant, PRICE)
    body = {**kind.body("clean"), "idempotencyKey": None}

    nothing = api.post(kind.path, body)
    assert (nothing.status_code, nothing.body["error"]["code"]) == (
        400,
        "IDEMPOTENCY_KEY_REQUIRED",
    )
    first = outgoing_requests.asking(api, "k-1", kind=kind, body=body)()
    assert first.status_code == 201, first.content
    # The key is no part of what is asked: with and without the null it is the same request.
    del body["idempotencyKey"]
    again = outgoing_requests.asking(api, "k-1", kind=kind, body=body)()
    assert (again.status_code, again.body) == (201, first.body)
    assert again.headers["Idempotent-Replayed"] == "true"
