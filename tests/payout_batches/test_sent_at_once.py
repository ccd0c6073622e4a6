"""Two files with the same payments that people send at the same instant, in real threads."""

from functools import partial
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core.errors import NotAllowed
from payments.payout_batches.models import PayoutBatch
from tests.payout_batches import flow
from tests.support.concurrency import run_concurrently

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("attempt", range(3))
def test_only_one_of_three_is_sent_without_a_warning(
    payer: Merchant, settings: Any, attempt: int
) -> None:
    settings.DOORBELL = False
    same = [flow.check(payer, flow.many(3)) for _copy in range(3)]
    results = run_concurrently([partial(flow.submit, batch) for batch in same])
    assert sorted(type(one) is NotAllowed for one in results) == [False, True, True]
    states = PayoutBatch.objects.order_by("status").values_list("status", "warning_count")
    assert list(states) == [("CHECKED", 3), ("CHECKED", 3), ("WAITING_APPROVAL", 0)]
