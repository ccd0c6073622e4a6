"""An operator connects a provider in the console: enters, checks, switches, routes, rotates."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils.html import escape

from payments.core.models import AuditEntry
from payments.providers.rail_type import rail_types
from payments.rails.models import ProviderAccount, Route
from payments.rails.services.approvals import digest_to_approve
from tests.admin.conftest import Console, ana, beto, clerk, console, person  # noqa: F401
from tests.rails.accounts import WOMPI_CREDENTIALS, wompi

pytestmark = pytest.mark.django_db
LIVE = {
    "public_key": "pub_prod_1",
    "private_key": "prv_prod_2",
    "integrity_secret": "prod_integrity_3",
    "events_secret": "prod_events_4",
}
SECRETS = [name for name in WOMPI_CREDENTIALS if name != "public_key"]


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def enter(console, mode="SANDBOX", credentials=WOMPI_CREDENTIALS, **changes):  # noqa: F811
    form = {
        "label": "Wompi de la tienda",
        "slug": "wompi-main",
        "mode": mode,
        **{f"credential_{name}": value for name, value in credentials.items()},
        **changes,
    }
    address = "/admin/rails/provideraccount/add/?provider=wompi"
    token = console.get(address).context["form_token"]
    return console.post(address, {"form_token": token, "reason": "contract 12", **form})


def test_account_is_entered_and_its_secrets_are_never_shown_again(console):  # noqa: F811
    providers = console.page("rails_provideraccount_add").content.decode()
    assert "?provider=wompi" in providers
    for type_ in rail_types().values():
        assert type_.about
        assert str(escape(str(type_.label))) in providers
        assert str(escape(str(type_.about))) in providers
    assert enter(console).status_code == 302
    account = ProviderAccount.objects.get()
    assert (account.slug, account.status, account.mode) == ("wompi-main", "OFF", "SANDBOX")
    page = console.page("rails_provideraccount_change", account.pk).content.decode()
    assert WOMPI_CREDENTIALS["public_key"] in page
    assert "/callbacks/payin/wompi-main" in page
    written = page + json.dumps(list(AuditEntry.objects.values("details", "reason")))
    for name in SECRETS:
        assert WOMPI_CREDENTIALS[name] not in written


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"mode": "LIVE"}, "pub_prod_"),
        ({"credential_private_key": "pub_test_1"}, "prv_test_"),
        ({"credential_events_secret": " "}, ""),
        ({"slug": "Wompi Main"}, "minúsculas"),
        ({"slug": "../x"}, "minúsculas"),
    ],
)
def test_wrong_credentials_are_refused_when_they_are_entered(console, changes, word):  # noqa: F811
    answer = enter(console, **changes)
    assert answer.status_code == 400
    assert word in answer.content.decode()
    assert not ProviderAccount.objects.exists()


def test_sandbox_account_is_switched_on_by_one_person(console):  # noqa: F811
    enter(console)
    assert console.submit("rails_provideraccount_switch_on", "wompi-main").status_code == 302
    assert ProviderAccount.objects.get().status == "ON"


def test_new_account_asks_for_its_address_at_the_provider_and_one_switched_off_does_not(
    console,  # noqa: F811
):
    enter(console)
    page = console.page("rails_provideraccount_change", "wompi-main").content.decode()
    step = page[page.index("desk-step-text") : page.index("desk-step-text") + 3000]
    assert "/callbacks/payin/wompi-main" in step
    console.submit("rails_provideraccount_switch_on", "wompi-main")
    ended = console.submit("rails_provideraccount_switch_off", "wompi-main")
    page = console.page("rails_provideraccount_change", "wompi-main").content.decode()
    assert ended.status_code == 302
    assert "No recibe pagos nuevos desde" in page
    assert "Pega esta dirección" not in page


def test_live_account_needs_a_second_person(console, beto):  # noqa: F811
    enter(console, mode="LIVE", credentials=LIVE)
    console.submit("rails_provideraccount_switch_on", "wompi-main")
    assert ProviderAccount.objects.get().status == "REQUESTED"
    seen = {"digest": digest_to_approve(ProviderAccount.objects.get())}
    assert console.submit("rails_provideraccount_approve", "wompi-main", **seen).status_code == 400
    assert ProviderAccount.objects.get().status == "REQUESTED"
    assert beto.submit("rails_provideraccount_approve", "wompi-main", **seen).status_code == 302
    account = ProviderAccount.objects.get()
    assert (account.status, account.requested_by, account.approved_by) == ("ON", "ana", "beto")
    rotated = {f"credential_{name}": f"{LIVE[name]}9" for name in SECRETS}
    rotated["credential_public_key"] = LIVE["public_key"]
    assert (
        console.submit("rails_provideraccount_rotate", "wompi-main", **rotated).status_code == 302
    )
    account = ProviderAccount.objects.get()
    assert (account.status, account.credentials) == ("ON", json.dumps(LIVE))
    name = "rails_provideraccount_approve_credentials"
    assert beto.submit(name, "wompi-main", **seen).status_code == 400  # of the old set
    seen = {"digest": digest_to_approve(account)}
    assert console.submit(name, "wompi-main", **seen).status_code == 400
    assert beto.submit(name, "wompi-main", **seen).status_code == 302
    assert (
        json.loads(ProviderAccount.objects.get().credentials)["events_secret"] == "prod_events_49"
    )


def test_only_who_may_connects_accounts(clerk):  # noqa: F811
    assert enter_status(clerk) == 403
    assert clerk.page("rails_provideraccount_changelist").status_code == 200


def enter_status(console):  # noqa: F811
    return console.get("/admin/rails/provideraccount/add/?provider=wompi").status_code


def test_check_shows_what_works_and_what_could_not_be_checked(console):  # noqa: F811
    with wompi():
        page = console.page("rails_provideraccount_check_account", "wompi-main").content.decode()
        assert "falló" in page  # the address for callbacks is not public here
        for word in (
            "Llave pública",
            "funciona",
            "sin comprobar",
            "Dirección para avisos: Cobros",
            "1 falló",
        ):
            assert word in page
        assert page.index("falló") < page.index("Reloj")
        assert "Botón Bancolombia" in page
        assert "BANCOLOMBIA_TRANSFER" not in page
        for name in SECRETS:
            assert WOMPI_CREDENTIALS[name] not in page
    page = console.page("rails_provideraccount_check_account", "wompi-main").content.decode()
    assert "ClientConnectorError" in page


def test_command_checks_an_account_and_names_those_that_exist():
    out = StringIO()
    with wompi(), pytest.raises(CommandError) as failed:
        call_command("rail_check", "wompi-main", stdout=out)
    assert failed.value.returncode == 1
    found = {line["subject"]: line["finding"] for line in json.loads(out.getvalue())["checks"]}
    assert found["public_key"] == found["private_key"] == found["banks"] == "OK"
    assert found["callback_url payin"] == "FAILED"
    assert found["clock"] == "OK"
    assert "only a payment shows" in out.getvalue()
    with pytest.raises(CommandError, match="wompi-main"):
        call_command("rail_check", "wompi-other")


def test_route_is_entered_and_tried_out(console):  # noqa: F811
    with wompi():
        form = {"product": "payin", "method": "PSE", "account": "wompi-main", "priority": "1"}
        sent = console.post(
            "/admin/rails/route/add/", {**form, "is_enabled": "on", "reason": "first route"}
        )
        assert sent.status_code == 302, sent.context["adminform"].errors
        assert Route.objects.get().account == "wompi-main"
        query = {"product": "payin", "currency": "COP", "amount": "50000"}
        tried = console.page("rails_route_try_out", method="PSE", **query).content.decode()
        assert "atendería" in tried
        tried = console.page("rails_route_try_out", method="CRYPTO", **query).content.decode()
        assert "solo PSE" in tried
        for wrong in ({"method": "PSEE"}, {"currency": "COPP"}, {"account": "simulator-2"}):
            refused = console.post(
                "/admin/rails/route/add/", {**form, **wrong, "reason": "a typing error"}
            )
            assert refused.status_code == 200
            assert set(refused.context["adminform"].errors) == set(wrong)
        assert Route.objects.count() == 1


def test_account_in_use_cannot_be_deleted(console):  # noqa: F811
    enter(console)
    assert console.post("/admin/rails/provideraccount/wompi-main/delete/").status_code == 403
    assert ProviderAccount.objects.exists()
