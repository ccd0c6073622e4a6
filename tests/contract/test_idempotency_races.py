"""Twenty requests at the same instant, on twenty connections (contract, Collections)."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse

from payments.collect.models import Order
from tests.support.factories import MerchantFactory, order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db(transaction=True)
RUNNERS = 20


@pytest.fixture
def api(transactional_db: None) -> ApiClient:
    return ApiClient(MerchantFactory())


def at_once(request: Callable[[int], HttpResponse]) -> list[HttpResponse]:
    """Runs `request` in as many threads at the same instant; each has its own connection."""
    barrier, answers = threading.Barrier(RUNNERS), []

    def run(number: int) -> None:
        connection.ensure_connection()
        barrier.wait()
        try:
            answers.append(request(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(RUNNERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == RUNNERS
    return answers


def statuses(answers: list[HttpResponse]) -> Counter[Any]:
    return Counter(answer.status_code for answer in answers)


def test_one_key_is_one_order(api: ApiClient) -> None:
    body = order_body()
    answers = at_once(lambda _: api.post("/collect", body, headers={"Idempotency-Key": "same"}))

    assert statuses(answers) == {201: RUNNERS}
    assert {answer.body["data"]["id"] for answer in answers} == {Order.objects.get().pk}
    assert len({answer.content for answer in answers}) == 1
    replayed = [answer.headers.get("Idempotent-Replayed") for answer in answers]
    assert Counter(replayed) == {None: 1, "true": RUNNERS - 1}


def test_one_reference_is_one_order(api: ApiClient) -> None:
    body = order_body()
    answers = at_once(lambda _: api.post("/collect", body))

    assert statuses(answers) == {201: 1, 400: RUNNERS - 1}
    known = Order.objects.get().pk
    for answer in answers:
        if answer.status_code == 400:
            error = answer.body["error"]
            assert error["code"] == "VALIDATION_ERROR"
            assert error["details"]["field"] == "reference"
            assert error["details"]["existingId"] == known


def test_one_key_for_different_requests_is_one_order(api: ApiClient) -> None:
    headers = {"Idempotency-Key": "same"}
    answers = at_once(lambda _: api.post("/collect", order_body(), headers=headers))

    assert statuses(answers) == {201: 1, 400: RUNNERS - 1}
    assert Order.objects.count() == 1
    codes = {answer.body.get("error", {}).get("code") for answer in answers}
    assert codes == {None, "IDEMPOTENCY_KEY_REUSED"}


def test_different_keys_for_one_reference_are_one_order(api: ApiClient) -> None:
    body = order_body()
    answers = at_once(
        lambda number: api.post("/collect", body, headers={"Idempotency-Key": f"key-{number}"})
    )

    assert statuses(answers) == {201: 1, 400: RUNNERS - 1}
    assert Order.objects.count() == 1


def test_keys_of_two_merchants_do_not_meet(api: ApiClient) -> None:
    other, body = ApiClient(MerchantFactory(name="Otra Tienda")), order_body()
    answers = at_once(
        lambda number: (api if number % 2 else other).post(
            "/collect", body, headers={"Idempotency-Key": "same"}
        )
    )

    assert statuses(answers) == {201: RUNNERS}
    assert len({answer.body["data"]["id"] for answer in answers}) == 2
