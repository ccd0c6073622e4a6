"""Orders that are paid over fake Wompis: start them, query them, count what the rails have."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db import connection, connections
from django.db.models import Sum

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation, reconciliation
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.core import clock
from payments.ledger import services as ledger
from tests.faults.wompi_rails import rail_books
from tests.rails.fake_server.server import RunningServer
from tests.rails.terms import WOMPI_TERMS
from tests.support.charges import create
from tests.support.fixtures import ApiClient
from tests.support.invariants import check_invariants

CLIENTS = 8
# Of the moved clock. A charge that never arrived is given up after 25 s.
STEP_SECONDS, LIMIT_SECONDS = 15, 1800


def sell(api: ApiClient, count: int) -> list[Order]:
    return list(_at_once(lambda _: create(api, amount=50000), range(count)))


def pay(orders: list[Order]) -> Counter[str]:
    """A payer starts PSE for each order; how often each answer was seen."""
    return Counter(_at_once(_start, orders))


def _start(order: Order) -> str:
    choice = charge_creation.PaymentChoice(
        method="PSE",
        payer=replace(charge_creation.payer_of(order), phone="3105551234"),
        fields={"bankCode": "1", "personType": "NATURAL"},
        return_url=order.collect_url,
        accepted=WOMPI_TERMS,
    )
    try:
        charge_creation.start_charge(order=order, choice=choice, now=clock.now())
    except (ProviderUnavailable, ChargeRefused) as error:
        return type(error).__name__
    return "started"


def _at_once(act: Any, values: Any) -> list[Any]:
    def one(value: Any) -> Any:
        try:
            return act(value)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(one, values))


def query_until_closed() -> int:
    """The background's queries with a moved clock; after how many seconds no charge was open."""
    began = clock.now()
    for seconds in range(0, LIMIT_SECONDS, STEP_SECONDS):
        now = began + timedelta(seconds=seconds)
        while reconciliation.reconcile_due(now=now):
            pass
        if not Charge.objects.filter(status__in=Charge.OPEN).exists():
            return seconds
    left = Counter(Charge.objects.filter(status__in=Charge.OPEN).values_list("status", "provider"))
    raise AssertionError(f"Open after {LIMIT_SECONDS} s: {left}")


def unpaid() -> list[Order]:
    return list(Order.objects.exclude(status="COMPLETED"))


def verdict(*fakes: RunningServer) -> rail_books.Verdict:
    accounts = list(Charge.objects.values_list("provider", flat=True).distinct())
    with connection.cursor() as cursor:
        cursor.execute(rail_books.SALES, [accounts])
        sales = cursor.fetchall()
    return rail_books.compare_sales([fake.control.state() for fake in fakes], sales)


def assert_each_is_paid_once(merchant: Merchant, *fakes: RunningServer) -> None:
    """Also the merchant's balance has what the rails were paid, to the cent."""
    assert unpaid() == []
    found = verdict(*fakes)
    assert found.is_clean, (found.doubled, found.wrong)
    assert found.paid == Order.objects.count()
    credited = Order.objects.aggregate(credited=Sum("base_amount"))["credited"]
    assert ledger.balances(merchant.pk)["COPM"]["available"] == credited
    check_invariants([merchant.pk])
