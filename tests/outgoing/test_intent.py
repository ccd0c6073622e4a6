"""No network call inside a transaction: a crash must not forget that the rail was asked."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from merchants.models import Merchant
from payments.core import clock
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.outgoing_products import KINDS, MOST, Kind


def seen_by_others(kind: Kind) -> list[str]:
    """The states of all payments as another connection reads them: what is committed."""

    def read() -> list[str]:
        try:
            return list(kind.model.objects.values_list("status", flat=True))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as other:
        return other.submit(read).result()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.product)
def test_what_is_asked_is_committed_before_it_is_asked(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, settings: Any, kind: Kind
) -> None:
    outgoing_requests.quiet(settings)
    fund(merchant, MOST)
    port = type(kind.engine.product.port("simulator"))
    send, seen = port.send, []

    def watched(rail: Any, request: Any, timeout: float) -> Any:
        seen.append(seen_by_others(kind))
        return send(rail, request, timeout)

    monkeypatch.setattr(port, "send", watched)
    outgoing_requests.ask(api, "clean", kind=kind)
    kind.engine.process_due(now=clock.now())

    assert seen == [["PROCESSING"]]
