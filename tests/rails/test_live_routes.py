"""A route for real money is added, changed and disabled by two persons."""

import pytest

from payments.core.models import AuditEntry
from payments.rails.models import Route, RouteChange
from payments.rails.services import accounts
from tests.admin.conftest import Console, ana, beto, clerk, console  # noqa: F401
from tests.rails.accounts import WOMPI_CREDENTIALS, enter, route
from tests.rails.test_declarations import LIVE, by

pytestmark = pytest.mark.django_db
FORM = {"product": "payin", "method": "PSE", "account": "live", "priority": "5", "reason": "moved"}


@pytest.fixture(autouse=True)
def _live(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    enter("sandbox", "wompi", "", WOMPI_CREDENTIALS)
    settings.SANDBOX = False
    new = accounts.NewAccount(
        slug="live", provider="wompi", label="L", mode="LIVE", credentials=LIVE
    )
    accounts.create_account(new=new, **by("olga"))


def save(console, route=None, **changes):  # noqa: F811
    form = {**FORM, "is_enabled": "on", **changes}
    form = {name: value for name, value in form.items() if value is not None}
    address = f"{route.pk}/change/" if route else "add/"
    return console.post(f"/admin/rails/route/{address}", form)


def decide(console, verb, change=None):  # noqa: F811
    change = change or RouteChange.objects.get(status="REQUESTED")
    return console.submit(f"rails_routechange_{verb}", change.pk).status_code


def test_new_route_exists_when_another_person_has_approved_it(console, beto):  # noqa: F811
    assert save(console).url == "/admin/rails/routechange/"
    assert not Route.objects.exists()
    tried = console.page("rails_route_try_out", product="payin").content.decode()
    assert "prioridad: 5" in tried
    assert decide(console, "approve") == 400
    assert not Route.objects.exists()
    assert decide(beto, "approve") == 302
    assert Route.objects.values_list("account", "method", "priority").get() == ("live", "PSE", 5)
    found = AuditEntry.objects.filter(action__startswith="rail_route.").order_by("id")
    assert list(found.values_list("action", "actor")) == [
        ("rail_route.change_requested", "ana"),
        ("rail_route.change_approved", "beto"),
    ]
    assert decide(beto, "approve", RouteChange.objects.get()) == 400


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ("live", {"priority": "1"}),
        ("live", {"is_enabled": None}),
        ("live", {"account": "simulator"}),
    ],
)
def test_change_of_a_route_to_real_money_waits(console, beto, settings, before, changes):  # noqa: F811
    old = route("payin", before, method="PSE", priority=5)
    assert save(console, old, **changes).status_code == 302
    assert Route.objects.values_list("account", "priority", "is_enabled").get() == (
        *("live", 5),
        True,
    )
    again = save(console, old, priority="9")
    assert "espera" in again.content.decode()
    assert decide(beto, "approve") == 302
    old.refresh_from_db()
    assert old.priority == int(changes.get("priority", 5))
    assert old.is_enabled is ("is_enabled" not in changes)
    assert old.account == changes.get("account", "live")


def test_rejected_change_leaves_the_route(console):  # noqa: F811
    old = route("payin", "live", priority=5, method="BANK_TRANSFER")
    save(console, old, priority="1", method="PSE")
    page = console.page("rails_routechange_change", RouteChange.objects.get().pk).content.decode()
    assert "prioridad: 5 → 1" in page
    assert "Transferencia bancaria o Bre-B → PSE" in page
    assert decide(console, "reject") == 302
    assert (Route.objects.get().priority, RouteChange.objects.get().status) == (5, "REJECTED")


def test_route_of_a_sandbox_account_is_as_before(console, settings):  # noqa: F811
    settings.SANDBOX = True
    assert save(console, account="sandbox").status_code == 302
    assert Route.objects.get().account == "sandbox"
    assert save(console, Route.objects.get(), account="sandbox", priority="3").status_code == 302
    assert (Route.objects.get().priority, RouteChange.objects.count()) == (3, 0)


def test_work_queue_counts_routes_and_credentials_that_wait(console):  # noqa: F811
    save(console)
    page = console.get("/admin/").content.decode()
    assert "/admin/rails/routechange/?status__exact=REQUESTED" in page


def test_only_who_may_decides(console, clerk):  # noqa: F811
    save(console)
    assert decide(clerk, "approve") == 403
    assert decide(clerk, "reject") == 403
    assert console.page("rails_routechange_changelist").status_code == 200
