"""Tabs above lists: counts of the newest rows, which cost no more queries."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.translation import override

from merchants.models import Merchant
from merchants.team import access_requests
from merchants.team.models import Invitation
from payments.collect.models import Order
from payments.console import applied_filters, roles, status_tabs, tab_words
from payments.core import clock
from tests.admin.conftest import Console
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.invitations import invited
from tests.support.merchant_staff import person_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def orders(api: ApiClient) -> list[Order]:
    for number in range(3):
        api.post("/collect", order_body(reference=f"R-{number}"))
    return list(Order.objects.all())


def tabs(page: Any) -> dict[str, str]:
    response = page.context_data["cl"]
    shown = status_tabs.tabs(page.wsgi_request, response.model_admin, response)
    return {tab.query: tab.count for tab in shown}


def test_counts_of_more_rows_than_are_counted_are_at_least(
    console: Console, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_tabs, "COUNTED", 2)
    page = console.page("collect_order_changelist")
    assert tabs(page)["?status__exact=PENDING"] == "2+"
    assert page.context_data["cl"].result_count == len(orders)


def test_many_rows_are_a_thousand_and_more(
    console: Console, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_tabs, "MOST_SHOWN", 3)
    assert tabs(console.page("collect_order_changelist"))["?status__exact=PENDING"] == "3+"


def test_a_searched_list_has_tabs_without_counts(console: Console, orders: list[Order]) -> None:
    page = console.page("collect_order_changelist", q="R-1")
    assert set(tabs(page).values()) == {""}


def test_a_filtered_list_has_the_counts_of_its_filter(
    console: Console, orders: list[Order], merchant: Merchant
) -> None:
    page = console.page("collect_order_changelist", merchant__id__exact=merchant.pk)
    assert tabs(page)[f"?merchant__id__exact={merchant.pk}&status__exact=PENDING"] == "3"
    chosen = {"merchant__id__exact": merchant.pk, "status__exact": "PENDING"}
    assert "3" in tabs(console.page("collect_order_changelist", **chosen)).values()


@pytest.mark.usefixtures("without_mail")
def test_tabs_of_a_state_that_depends_on_the_time(console: Console, merchant: Merchant) -> None:
    invited(console, merchant)
    assert tabs(console.page("team_invitation_changelist")) == {"?": "", "?state=OPEN": "1"}
    Invitation.objects.update(expires_at=clock.now() - timedelta(hours=1))
    assert tabs(console.page("team_invitation_changelist")) == {"?": "", "?state=EXPIRED": "1"}
    page = console.page("team_invitation_changelist", state="EXPIRED")
    assert page.context_data["cl"].result_count == 1
    assert not list(applied_filters.applied(page.wsgi_request, page.context_data["cl"]))
    page = console.page("team_invitation_changelist", state="OPEN")
    assert page.context_data["cl"].result_count == 0


@pytest.mark.parametrize("name", ["auth_user", "merchants_apikey", "team_accessrequest"])
def test_lists_of_people_and_keys_have_tabs(console: Console, api: ApiClient, name: str) -> None:
    """Those of operators count no person of a merchant."""
    person_of(api.merchant, "gabriel")
    access_requests.request_payout_key(
        merchant=api.merchant,
        label="Nómina",
        actor=person_of(api.merchant, "tere", roles.MERCHANT_ADMINISTRATOR),
        reason="Pays wages",
        now=clock.now(),
    )
    shown = tabs(console.page(f"{name}_changelist"))
    assert list(shown.values()) == ["", "1"]


@pytest.mark.parametrize(
    ("label", "list_name", "shown"),
    [
        ("Pendiente", "Órdenes", "Pendientes"),
        ("Completada", "Dispersiones", "Completadas"),
        ("Devuelto", "Dispersiones", "Devueltas"),
        ("Fallida", "Intentos de pago", "Fallidos"),
        ("Recibido en parte", "Intentos de pago", "Recibidos en parte"),
        ("Esperando transferencia", "Órdenes", "Esperando transferencia"),
        ("En proceso", "Recargas", "En proceso"),
        ("Espera una URL de webhooks", "Entregas", "Esperan una URL de webhooks"),
        ("Propuestas", "Reglas de aprobación", "Propuestas"),
        ("Activa", "Llaves de API", "Activas"),
        ("Aprobada", "Solicitudes de acceso", "Aprobadas"),
    ],
)
def test_spanish_tabs_agree_with_their_list(label: str, list_name: str, shown: str) -> None:
    with override("es"):
        assert tab_words.of_state(label, list_name) == shown
        every = "Todos" if list_name == "Intentos de pago" else "Todas"
        assert tab_words.everything(list_name) == every
