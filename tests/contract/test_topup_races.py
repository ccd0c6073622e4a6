"""Twenty top-ups at the same instant, on twenty connections (faults.md, F1 and F2)."""

from collections import Counter
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.simulator import store
from payments.topup.models import TopUp
from payments.topup.services import catalogue
from tests.contract.test_idempotency_races import RUNNERS, at_once, statuses
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.topups import LOST_AFTER, buy, topup_body

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def merchant(transactional_db: None) -> Merchant:
    catalogue.load_catalogue(now=clock.now())
    return MerchantFactory()


@pytest.fixture
def api(merchant: Merchant) -> ApiClient:
    return ApiClient(merchant)


def codes(answers: list[Any]) -> Counter[Any]:
    return Counter(answer.body.get("error", {}).get("code") for answer in answers)


@pytest.mark.parametrize("phone", ["3001234567", LOST_AFTER])
def test_one_key_is_one_topup(api: ApiClient, merchant: Merchant, phone: str) -> None:
    """Half of the keys come in the body."""
    fund(merchant, 1_000_000)
    body = topup_body(phone=phone)

    def ask(number: int) -> Any:
        if number % 2:
            return api.post("/topup", body, headers={"Idempotency-Key": "same"})
        return api.post("/topup", {**body, "idempotencyKey": "same"})

    answers = at_once(ask)

    assert statuses(answers) == {201: RUNNERS}
    topup = TopUp.objects.get()
    assert {answer.body["data"]["id"] for answer in answers} == {topup.pk}
    replayed = [answer.headers.get("Idempotent-Replayed") for answer in answers]
    assert Counter(replayed) == {None: 1, "true": RUNNERS - 1}
    assert store.executions(topup.pk) == 1
    assert store.calls(topup.provider_reference, "send") == 1
    assert balance(merchant)[0] == 980_000
    assert not ledger.verify().problems


def test_a_key_for_different_requests_is_one_topup(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 1_000_000)
    answers = at_once(lambda number: buy(api, key="same", amountCop=10_000 + number))

    assert statuses(answers) == {201: 1, 400: RUNNERS - 1}
    assert codes(answers) == {None: 1, "IDEMPOTENCY_KEY_REUSED": RUNNERS - 1}
    assert TopUp.objects.count() == 1


def test_no_topup_spends_what_is_not_there(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 7 * 20_000 + 19_999)
    answers = at_once(lambda number: buy(api, key=f"key-{number}"))

    assert statuses(answers) == {201: 7, 400: RUNNERS - 7}
    assert codes(answers) == {None: 7, "INSUFFICIENT_BALANCE": RUNNERS - 7}
    assert TopUp.objects.filter(status="COMPLETED").count() == 7
    assert balance(merchant) == (19_999, 0)
    assert sum(store.executions(topup.pk) for topup in TopUp.objects.all()) == 7
    assert not ledger.verify().problems


def test_a_refused_one_gives_its_money_to_the_next(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 20_000)
    answers = at_once(lambda number: buy(api, key=f"key-{number}", phone="3990001002"))

    assert set(statuses(answers)) <= {201, 400}
    assert {row.status for row in TopUp.objects.all()} == {"FAILED"}
    assert balance(merchant) == (20_000, 0)
    assert not ledger.verify().problems
