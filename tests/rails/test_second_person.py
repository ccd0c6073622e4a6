"""What a second person sees, approves and withdraws; secrets are typed after the password."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError

from payments.core import clock
from payments.core.models import AuditEntry
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, approvals
from payments.rails.services.errors import RequestChanged
from tests.admin.conftest import Console, ana, beto, clerk, console, url  # noqa: F401
from tests.admin.test_four_eyes import created
from tests.rails.test_declarations import LIVE, by

pytestmark = pytest.mark.django_db
PASSWORD = "Volcán-Galeras-4276"
NEWER = {**LIVE, "events_secret": "prod_events_newer"}
SECRET = "prv_prod_typed_too_early"
WARNED = "que está detrás de esta solicitud"
FORM = {"product": "payin", "method": "PSE", "account": "live", "priority": "5", "is_enabled": "on"}


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SANDBOX = False


@pytest.fixture
def dos(console):  # noqa: F811
    """The second account of ana, who has chosen its password."""
    user = created(console)
    user.is_superuser = True
    user.save()
    browser = Console()
    browser.force_login(user)
    return browser


def account():
    return ProviderAccount.objects.get(pk="live")


def enter(person="ana"):
    new = accounts.NewAccount(
        slug="live", provider="wompi", label="L", mode="LIVE", credentials=LIVE
    )
    accounts.create_account(new=new, **by(person))


def serve():
    enter("olga")
    accounts.switch_on(slug="live", **by("olga"))
    approvals.approve(slug="live", digest=approvals.digest_to_approve(account()), **by("oscar"))


def request_credentials(person="olga", **more):
    accounts.rotate_credentials(slug="live", credentials=NEWER, **by(person), **more)


def decide(browser, verb):
    seen = {"digest": approvals.digest_to_approve(account())}
    return browser.submit(f"rails_provideraccount_{verb}", "live", **seen).status_code


def account_page(browser):
    return browser.page("rails_provideraccount_change", "live").content.decode()


def test_page_warns_if_the_second_person_of_a_live_account_may_be_the_first(console, dos):  # noqa: F811
    enter("ana")
    assert console.submit("rails_provideraccount_switch_on", "live").status_code == 302
    assert decide(dos, "approve") == 302
    assert account().status == "ON"
    assert WARNED in account_page(console)


def test_page_warns_if_the_second_person_of_new_credentials_may_be_the_first(console, dos):  # noqa: F811
    serve()
    request_credentials("ana")
    assert WARNED not in account_page(console)
    assert decide(dos, "approve_credentials") == 302
    assert WARNED in account_page(console)


def test_page_warns_if_the_second_person_of_a_route_may_be_the_first(console, beto, dos):  # noqa: F811
    serve()
    console.post(url("rails_route_add"), {**FORM, "reason": "first route"})
    first = RouteChange.objects.get()
    assert dos.submit("rails_routechange_approve", first.pk).status_code == 302
    changed = {**FORM, "priority": "6", "reason": "moved"}
    console.post(url("rails_route_change", Route.objects.get().pk), changed)
    second = RouteChange.objects.exclude(pk=first.pk).get()
    assert beto.submit("rails_routechange_approve", second.pk).status_code == 302
    pages = [
        console.page("rails_routechange_change", one.pk).content.decode() for one in (first, second)
    ]
    assert [WARNED in page for page in pages] == [True, False]


def test_two_persons_without_a_common_past_bring_no_warning(console, beto):  # noqa: F811
    enter("ana")
    console.submit("rails_provideraccount_switch_on", "live")
    assert decide(beto, "approve") == 302
    request_credentials("ana")
    assert decide(beto, "approve_credentials") == 302
    assert WARNED not in account_page(console)


def entered(name, credentials):
    form = {f"credential_{key}": value for key, value in credentials.items()}
    form |= {"reason": "contract 12", "form_token": "typed-before"}
    if name == "add":
        form |= {"label": "L", "slug": "other", "mode": "LIVE"}
        return f"{url('rails_provideraccount_add')}?provider=wompi", form
    return url("rails_provideraccount_rotate", "live"), form


@pytest.mark.parametrize("name", ["add", "rotate"])
def test_secret_that_was_typed_before_the_password_is_on_no_page(console, name):  # noqa: F811
    serve()
    rows = ProviderAccount.objects.count()
    address, form = entered(name, {**LIVE, "private_key": SECRET})
    with time_machine.travel(clock.now() + timedelta(minutes=16), tick=False):
        asked = console.get(address)
        assert "confirm_password" in asked.content.decode()
        assert "credential_private_key" not in asked.content.decode()
        for sent in (form, {**form, "confirm_password": "wrong"}):
            answer = console.post(address, sent)
            assert "confirm_password" in answer.content.decode()
            assert SECRET not in answer.content.decode()
        proved = console.post(address, {"confirm_password": PASSWORD, "confirm_return": "1"})
        assert (proved.status_code, proved.url) == (302, address)
        shown = console.get(address)
        assert "credential_private_key" in shown.content.decode()
        assert ProviderAccount.objects.count() == rows
        token = shown.context["form_token"]
        assert console.post(address, {**form, "form_token": token}).status_code == 302


@pytest.mark.parametrize("person", ["olga", "declare_rails"])
def test_new_credentials_are_rejected_and_the_old_ones_serve_on(console, person):  # noqa: F811
    serve()
    request_credentials(person, refuses_old=True)
    assert decide(console, "reject_credentials") == 302
    found = account()
    assert (found.requested_credentials, found.refuses_old, found.status) == ("", False, "ON")
    assert json.loads(found.credentials) == LIVE
    assert accounts.find_rail("live") is not None
    row = AuditEntry.objects.get(action="rail_account.rotation_withdrawn")
    assert (row.actor, row.subject_id) == ("ana", "live")
    assert row.details == {"entered_by": person}
    assert decide(console, "reject_credentials") == 400


def test_who_asked_for_new_credentials_may_reject_them(console):  # noqa: F811
    serve()
    request_credentials("ana")
    assert "reject_credentials" in account_page(console)
    assert decide(console, "reject_credentials") == 302
    assert "reject_credentials" not in account_page(console)


def test_credentials_that_were_replaced_since_then_are_not_rejected(console):  # noqa: F811
    serve()
    request_credentials("olga")
    seen = {"digest": approvals.digest_to_approve(account())}
    request_credentials("olga", refuses_old=True)
    answer = console.submit("rails_provideraccount_reject_credentials", "live", **seen)
    assert answer.status_code == 400
    assert account().requested_credentials


def test_who_only_looks_rejects_nothing(clerk):  # noqa: F811
    serve()
    request_credentials()
    assert decide(clerk, "reject_credentials") == 403


@pytest.mark.parametrize("refuses", [True, False])
def test_approver_approves_what_becomes_of_the_old_secret_as_it_was_shown(refuses):
    serve()
    request_credentials(refuses_old=refuses)
    seen = approvals.digest_to_approve(account())
    request_credentials(refuses_old=not refuses)
    with pytest.raises(RequestChanged):
        approvals.approve_credentials(slug="live", digest=seen, **by("oscar"))
    seen = approvals.digest_to_approve(account())
    approvals.approve_credentials(slug="live", digest=seen, **by("oscar"))
    assert accounts.is_approved(account())
    assert accounts.find_rail("live") is not None
    assert bool(account().previous_credentials) is refuses


def test_change_that_became_impossible_says_why(console, beto):  # noqa: F811
    serve()
    console.post(url("rails_route_add"), {**FORM, "reason": "first route"})
    change = RouteChange.objects.get()
    change.values = {**change.values, "merchant_id": "mer_gone", "priority": None}
    change.save()
    answer = beto.submit("rails_routechange_approve", change.pk)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "La ruta no puede quedar como dice este cambio" in page
    assert "comercio: " in page
    assert "prioridad: " in page
    assert not Route.objects.exists()


def test_error_of_a_field_that_the_form_does_not_have_is_shown(console, monkeypatch):  # noqa: F811
    def refuse(**_input):
        raise ValidationError({"provider": "too new", "label": "too old"})

    monkeypatch.setattr(accounts, "create_account", refuse)
    address, form = entered("add", LIVE)
    token = console.get(address).context["form_token"]
    answer = console.post(address, {**form, "form_token": token})
    assert answer.status_code == 400
    assert answer.context["form"].errors == {"__all__": ["provider: too new"], "label": ["too old"]}
