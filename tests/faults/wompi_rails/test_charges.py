"""F5 for collections over Wompi: a web process dies while it starts a charge."""

from collections import Counter
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge
from tests.faults import scaled
from tests.faults.crash_points import OF_CHARGES
from tests.faults.killable_worker import KILLED, KillableWorker
from tests.faults.wompi_rails import collections
from tests.rails.accounts import route, wompi
from tests.rails.callback_bridge import CallbackBridge
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.measurements import record

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F5")]
KILLS = scaled(20)
PAY = {"method": "wompi_nequi", "fields": {"phone": "3991111111"}, "acceptedTerms": True}


def test_kill_9_of_the_web_process_that_starts_a_charge(
    api: ApiClient, merchant: Merchant, settings: Any, worker: KillableWorker
) -> None:
    """No sale is lost and no payer charged twice: what the rail has is found by query or event, and
    a payer whose order is still not paid starts another payment.
    """
    outgoing_requests.quiet(settings)
    with CallbackBridge() as bridge, wompi() as fake:
        route("payin", "wompi-main")
        events = {"event_copies": 2, "event_reorder": 3, "event_retry_seconds": [1, 1, 1]}
        fake.control.set(events_url=bridge.url("payin", "wompi-main"), **events)
        orders = iter(collections.sell(api, KILLS * len(OF_CHARGES)))
        for point in OF_CHARGES:
            for _ in range(KILLS):
                request = {"path": f"/collect/{next(orders).pk}/pay", "body": PAY}
                assert worker.order(point, 1, **request, headers=api.headers) == KILLED, point
        stood = Counter(Charge.objects.values_list("status", flat=True))
        seconds = collections.query_until_closed()
        again = collections.unpaid()
        assert collections.pay(again) == {"started": len(again)}
        collections.query_until_closed()

        found = collections.verdict(fake)
        record(
            f"{KILLS * len(OF_CHARGES)} times kill -9 of a web process that starts a charge at"
            f" Wompi: {dict(stood)}, all known {seconds} s of the moved clock later, {len(again)}"
            f" paid again; {found}",
            kills=KILLS * len(OF_CHARGES),
            doubled=len(found.doubled),
            lost=len(collections.unpaid()),
        )
        # Before the commit there is no charge, and after it no transaction at the rail.
        assert len(again) == 2 * KILLS
        collections.assert_each_is_paid_once(merchant, fake)
    assert {*bridge.statuses} == {200}
