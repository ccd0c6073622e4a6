"""Which coins on which networks a payer may choose, and which account serves the choice."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import gettext

from payments.collect.checkout.views import NOT_AVAILABLE
from payments.collect.models import Charge
from payments.collect.services.charges import charge_creation, payin_accounts
from payments.collect.services.errors import MethodNotAvailable, ProviderUnavailable
from payments.core import clock
from payments.providers import breaker
from payments.rails.models import Route
from payments.rails.services import accounts
from payments.rails.services.routing import Demand, RouteTable, circuit
from tests.admin.conftest import ana, console  # noqa: F401
from tests.collect.test_pages.conftest import Payer
from tests.rails import coin_node
from tests.rails.accounts import route
from tests.rails.coin_node import enter_node
from tests.support.charges import create

pytestmark = pytest.mark.django_db
POLYGON, ETHEREUM = ("USDT", "polygon"), ("USDT", "ethereum")


@pytest.fixture(autouse=True)
def _nodes(settings):
    settings.RAIL_TYPES = [*settings.RAIL_TYPES, "tests.rails.coin_node.RAIL_TYPE"]
    yield
    coin_node.unreachable.clear()
    coin_node.paused.clear()
    coin_node.started.clear()


@pytest.fixture
def nodes():
    """Two of Polygon, one of Ethereum."""
    enter_node("poly-one", "polygon", "USDT USDC")
    enter_node("poly-two", "polygon", "USDT USDC")
    enter_node("ether", "ethereum", "ETH USDT")
    for priority, slug in enumerate(("poly-one", "poly-two", "ether"), 1):
        route("payin", slug, method="CRYPTO", priority=priority)


def options(order):
    return [(coin.key, account) for coin, account in payin_accounts.coin_options(order)]


def start(order, coin, network=""):
    fields = {"coin": coin, "network": network} if network else {"coin": coin}
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method="CRYPTO",
            payer=charge_creation.payer_of(order),
            fields=fields,
            return_url=order.return_url,
        ),
        now=clock.now(),
    )


def trip(slug):
    for _ in range(10):
        breaker.record(circuit("payin", slug), False)


class TestOptions:
    def test_each_coin_on_each_network_is_offered_once_in_the_order_of_the_routes(self, api, nodes):
        assert options(create(api)) == [
            ("USDT-polygon", "poly-one"),
            ("USDC-polygon", "poly-one"),
            ("ETH-ethereum", "ether"),
            ("USDT-ethereum", "ether"),
        ]

    def test_order_in_a_coin_offers_its_coin_on_every_network(self, api, nodes):
        order = create(api, currency="USDT", amount=1250.5)
        assert options(order) == [("USDT-polygon", "poly-one"), ("USDT-ethereum", "ether")]

    def test_second_account_of_the_network_serves_while_the_first_is_down(self, api, nodes):
        trip("poly-one")
        assert ("USDT-polygon", "poly-two") in options(create(api))

    def test_second_account_of_the_network_serves_while_the_first_is_off(self, api, nodes):
        accounts.switch_off(slug="poly-one", actor="olga", reason="test", now=clock.now())
        assert options(create(api))[0] == ("USDT-polygon", "poly-two")

    def test_coin_whose_accounts_are_down_or_paused_is_not_offered(self, api, nodes):
        trip("poly-one")
        coin_node.paused.add("poly-two")
        assert [key for key, _ in options(create(api))] == ["ETH-ethereum", "USDT-ethereum"]

    def test_without_any_coin_the_method_is_not_offered(self, api, nodes):
        order = create(api)
        assert payin_accounts.offered_methods(order) == ["CRYPTO"]
        coin_node.paused.update(("poly-one", "poly-two", "ether"))
        assert payin_accounts.offered_methods(order) == []
        payer = Payer(order)
        assert "/crypto" not in payer.see("/methods")

    def test_choice_whose_nodes_have_stopped_starts_nothing(self, api, nodes):
        payer = Payer(create(api))
        payer.see("/crypto")
        coin_node.paused.update(("poly-one", "poly-two", "ether"))
        page = payer.send("/crypto", {"coin": "ETH"}).content.decode()
        assert str(NOT_AVAILABLE) in page
        assert not Charge.objects.exists()

    def test_route_of_a_coin_takes_orders_in_pesos_that_are_paid_with_it(self, api, nodes):
        Route.objects.filter(account="poly-one").update(currency="USDC")
        assert dict(options(create(api))) == {
            "USDT-polygon": "poly-two",
            "USDC-polygon": "poly-one",
            "ETH-ethereum": "ether",
            "USDT-ethereum": "ether",
        }


class TestChoice:
    def test_charge_goes_to_an_account_of_its_network(self, api, nodes):
        charge = start(create(api), *ETHEREUM)
        assert (charge.provider, charge.fields["network"]) == ("ether", "ethereum")

    def test_coin_on_a_network_without_an_account_is_refused(self, api, nodes):
        with pytest.raises(MethodNotAvailable):
            start(create(api), "USDT", "tron")
        assert not Charge.objects.exists()

    def test_charge_of_an_unreachable_node_moves_within_its_network(self, api, nodes):
        coin_node.unreachable.add("poly-one")
        assert start(create(api), *POLYGON).provider == "poly-two"
        assert coin_node.started == [("poly-two", "USDT")]

    def test_charge_never_moves_to_another_network(self, api, nodes):
        coin_node.unreachable.update(("poly-one", "poly-two"))
        with pytest.raises(ProviderUnavailable):
            start(create(api), *POLYGON)
        assert coin_node.started == []

    def test_choice_without_a_network_goes_to_the_first_account_of_the_coin(self, api, nodes):
        assert start(create(api), "ETH").provider == "ether"


class TestPage:
    def test_payer_chooses_coin_and_network(self, api, nodes):
        order = create(api)
        payer = Payer(order)
        page = payer.see("/crypto")
        for value in ("USDT-polygon", "USDT-ethereum", "USDC-polygon", "ETH-ethereum"):
            assert f'value="{value}"' in page
        payer.choose("/crypto", {"coin": "USDT-ethereum"})
        charge = Charge.objects.get()
        assert charge.fields == {"coin": "USDT", "network": "ethereum"}
        assert charge.provider == "ether"

    def test_form_of_an_earlier_page_works_where_the_coin_has_one_network(self, api, nodes):
        payer = Payer(create(api))
        payer.see("/crypto")
        assert "USDT-polygon" in payer.send("/crypto", {"coin": "USDT"}).content.decode()
        assert not Charge.objects.exists()
        payer.choose("/crypto", {"coin": "USDC"})
        assert Charge.objects.get().fields == {"coin": "USDC", "network": "polygon"}


class TestTable:
    def test_it_reads_routes_and_accounts_once_each(self, api, nodes):
        order = create(api)
        with CaptureQueriesContext(connection) as seen:
            table = RouteTable.load("payin")
            payin_accounts.coin_options(order, table)
        asked = [one["sql"] for one in seen if "rails_" in one["sql"]]
        assert len(asked) == 2, asked

    def test_obstacles_name_the_coin_and_the_pause(self, nodes):
        coin_node.paused.add("poly-two")
        demand = Demand(method="CRYPTO", currency="COP", coin="ETH", network="ethereum")
        found = {one.account: one.obstacle for one in RouteTable.load("payin").explain(demand)}
        wrong = gettext("the account does not carry the coin on this network")
        assert found == {"poly-one": wrong, "poly-two": wrong, "ether": ""}
        demand = Demand(method="CRYPTO", currency="COP", coin="USDT", network="polygon")
        found = {one.account: one.obstacle for one in RouteTable.load("payin").explain(demand)}
        assert found["poly-two"] == gettext("takes no new payments now")

    def test_operator_tries_a_coin_on_a_network(self, console, nodes):  # noqa: F811
        query = {"product": "payin", "method": "CRYPTO", "currency": "COP", "coin": "USDT"}
        page = console.page("rails_route_try_out", **query, network="ethereum").content.decode()
        cells = r"\((poly-one|poly-two|ether)\)\s*</td>\s*<td[^>]*>(.*?)</td>"
        rows = re.findall(cells, page, re.DOTALL)
        results = {account: text.strip() for account, text in rows}
        assert results["poly-one"] == results["poly-two"] != results["ether"]
