"""How accounts do: counted, shown, and felt in the order and in what payers are offered."""

import pytest
from django.conf import settings as configured
from django.core.cache import cache
from django.db import ProgrammingError, transaction

from payments.providers import breaker, ports
from payments.rails.models import ProviderAccount
from payments.rails.services import health, overview
from payments.rails.services.routing import Demand, RouteTable, circuit
from tests.collect.test_pages.conftest import Payer
from tests.config.test_metrics import TOKEN, samples
from tests.rails.accounts import WOMPI_CREDENTIALS, enter, route, wompi, wompi_payouts
from tests.support.charges import create

pytestmark = pytest.mark.django_db
PSE = Demand(method="PSE")


def call(account, times, error=None):
    for _ in range(times):
        try:
            with health.measure("payin", account, "PSE"):
                if error:
                    raise error
        except ports.ProviderError:
            pass


def nowhere(slug, priority):
    """An account that no call reaches."""
    enter(slug, "wompi", "http://127.0.0.1:9/v1", WOMPI_CREDENTIALS)
    route("payin", slug, priority=priority)


def open_circuit(account):
    for _ in range(configured.PROVIDER_BREAKER_FAILURES):
        breaker.record(circuit("payin", account), ok=False)


def test_answers_refusals_and_doubts_are_counted():
    call("one", 6)
    call("one", 2, ports.ProviderRefused("REFUSED_BY_BANK"))
    call("one", 2, ports.ProviderTimeout("late"))
    found = health.read("payin", "one", ["PSE", "NEQUI"])
    assert (found["PSE"].calls, found["PSE"].share, found["PSE"].p95) == (10, 0.8, 0.25)
    assert found["PSE"].last_success is not None
    assert found["NEQUI"] == health.UNKNOWN


def test_order_of_accounts_follows_their_health():
    nowhere("one", 1)
    nowhere("two", 2)
    assert RouteTable.load("payin").accounts_for(PSE) == ["one", "two"]
    call("one", 20, ports.ProviderTimeout("late"))
    assert RouteTable.load("payin").accounts_for(PSE) == ["two", "one"]
    open_circuit("two")
    assert RouteTable.load("payin").accounts_for(PSE) == ["one", "two"]
    cache.clear()
    assert RouteTable.load("payin").accounts_for(PSE) == ["one", "two"]


def test_method_without_a_healthy_account_leaves_page_and_direct_api_and_comes_back(api):
    order = create(api)
    with wompi():
        route("payin", "wompi-main")
        assert offered(api, order) == (True, True)
        open_circuit("wompi-main")
        assert offered(api, order) == (False, False)
        cache.delete("breaker:payin:wompi-main:open")
        assert offered(api, order) == (True, True)


def offered(api, order):
    methods = api.get(f"/collect/{order.pk}/methods").body["data"]
    return f"/pay/{order.token}/pse" in Payer(order).see(), bool(methods)


def test_figures_of_accounts_and_callbacks_are_exposed(settings):
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = TOKEN, 0
    with wompi():
        route("payin", "wompi-main")
        call("wompi-main", 3)
        found = samples()
    labels = ("wompi-main", "PSE", "payin")
    by_name = {name: value for (name, given), value in found.items() if set(given) == set(labels)}
    assert by_name["pasarela_rail_calls"] == 3
    assert by_name["pasarela_rail_answered_share"] == 1
    assert {one.account for one in overview.read_all() if one.product == "payin"} == {"wompi-main"}


def test_circuits_of_all_entered_accounts_are_exposed(settings):
    """Of those that no route names, too: an operator sees why an account gets no payments."""
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = TOKEN, 0
    with wompi(), wompi_payouts():
        route("payin", "wompi-main")
        open_circuit("wompi-main")
        breaker.record(circuit("payout", "wompi-payouts-main"), ok=False)
        found = samples()
    assert found["pasarela_circuit_open", ("payin:wompi-main",)] == 1
    assert found["pasarela_circuit_failures", ("payout:wompi-payouts-main",)] == 1
    for name in ("payout:wompi-payouts-main:query", "refund:wompi-payouts-main"):
        assert found["pasarela_circuit_open", (name,)] == 0


def test_account_cannot_be_deleted():
    with wompi():
        with pytest.raises(ProgrammingError), transaction.atomic():
            ProviderAccount.objects.get().delete()
        with pytest.raises(ProgrammingError), transaction.atomic():
            ProviderAccount.objects.all().delete()
        assert ProviderAccount.objects.count() == 1
