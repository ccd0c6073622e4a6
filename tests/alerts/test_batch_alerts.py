"""Mails about files of payouts: one when they wait, one when they are finished."""

from datetime import timedelta
from typing import Any

import pytest

from merchants.models import Merchant
from payments.alerts import scanning
from payments.console import roles
from payments.core import clock
from payments.mail.models import Mail
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.payout_batches.models import BatchStatus, PayoutBatch
from tests.payout_batches import flow
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.merchant_staff import person_of

pytestmark = pytest.mark.django_db
PAULA, ANDRES = "paula@comercio.example", "andres@comercio.example"


@pytest.fixture(autouse=True)
def team(merchant: Merchant, settings: Any, catalogues: None) -> Merchant:
    settings.DOORBELL = False
    fund(merchant, 5_000_000)
    person_of(merchant, flow.PREPARER, roles.MERCHANT_PREPARER)
    person_of(merchant, flow.APPROVER, roles.MERCHANT_APPROVER)
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    return merchant


def mailed(template: str, **later: float) -> list[str]:
    for _ in range(2):
        scanning.scan(now=clock.now() + timedelta(**later))
    return sorted(Mail.objects.filter(template=template).values_list("to", flat=True))


def say(api: ApiClient, payout: Payout, status: str) -> None:
    answer = api.post(f"/sandbox/payout/{payout.pk}", {"status": status})
    assert answer.status_code == 200, answer.content


def test_a_file_that_waits_is_reported_to_who_may_approve_it(team: Merchant) -> None:
    batch = flow.check(team, flow.many(2))
    flow.submit(batch)
    assert mailed("batch_waits") == [ANDRES]
    assert batch.pk.removeprefix("pob_") in Mail.objects.get(template="batch_waits").text


def test_a_finished_file_is_reported_once_to_who_prepared_and_approved_it(
    team: Merchant, api: ApiClient
) -> None:
    batch = flow.run(team, flow.many(3))
    assert batch.status == BatchStatus.DONE
    engine.process_due(now=clock.now())
    first, second, third = Payout.objects.order_by("pk")
    say(api, first, "COMPLETED")
    say(api, second, "FAILED")
    assert mailed("batch_finished") == []  # the third is on its way
    say(api, third, "COMPLETED")
    assert mailed("batch_finished") == [ANDRES, PAULA]
    mail = Mail.objects.get(template="batch_finished", to=PAULA)
    assert "$ 100.000" in mail.text.replace("\xa0", " ")
    assert batch.pk.removeprefix("pob_") in mail.text
    assert mailed("batch_finished", days=3) == [ANDRES, PAULA]


def test_a_finished_file_is_reported_without_the_payouts_that_a_bank_holds_for_days(
    team: Merchant,
) -> None:
    flow.run(team, flow.many(1))
    assert mailed("batch_finished", hours=47) == []
    assert mailed("batch_finished", hours=49) == [ANDRES, PAULA]


def test_a_file_that_is_not_approved_is_never_reported_as_finished(team: Merchant) -> None:
    batch = flow.check(team, flow.many(1))
    flow.submit(batch)
    assert mailed("batch_finished") == []
    assert PayoutBatch.objects.get().finished_at is None
