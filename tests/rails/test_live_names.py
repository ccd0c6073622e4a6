"""A name or a secret that one person chose gains no trust when two others approve later."""

import pytest

from payments.core import clock
from payments.rails.admin import forms as account_forms
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, approvals, routes
from payments.rails.services.errors import NameTaken
from tests.admin.conftest import Console, ana, console  # noqa: F401
from tests.rails.accounts import PAYOUTS_CREDENTIALS, WOMPI_CREDENTIALS
from tests.rails.test_declarations import LIVE, by

pytestmark = pytest.mark.django_db
KNOWN_TO_ONE = {**LIVE, "events_secret": "prod_events_known_to_one"}


@pytest.fixture(autouse=True)
def _real_money(settings):
    settings.SANDBOX = False
    settings.RAILS = [*settings.RAILS, "tests.rails.toy.RAIL"]


def new(slug, mode="LIVE", credentials=LIVE):
    return accounts.NewAccount(
        slug=slug, provider="wompi", label="L", mode=mode, credentials=credentials
    )


def secrets():
    account = ProviderAccount.objects.get()
    return accounts.to_rail_account(account, clock.now()).secrets("events_secret")


def approve():
    digest = approvals.digest_to_approve(ProviderAccount.objects.get())
    approvals.approve(slug="live", digest=digest, **by("oscar"))


def test_secret_that_no_second_person_approved_signs_no_callback_after_the_approval():
    accounts.create_account(new=new("live", credentials=KNOWN_TO_ONE), **by("ana"))
    accounts.rotate_credentials(slug="live", credentials=LIVE, **by("olga"))
    accounts.switch_on(slug="live", **by("olga"))
    approve()
    assert secrets() == [LIVE["events_secret"]]


def test_approved_secret_signs_callbacks_for_a_while_after_the_next_approval():
    accounts.create_account(new=new("live"), **by("ana"))
    accounts.switch_on(slug="live", **by("ana"))
    approve()
    newer = {**LIVE, "events_secret": "prod_events_newer"}
    accounts.rotate_credentials(slug="live", credentials=newer, **by("ana"))
    digest = approvals.digest_to_approve(ProviderAccount.objects.get())
    approvals.approve_credentials(slug="live", digest=digest, **by("oscar"))
    assert secrets() == ["prod_events_newer", LIVE["events_secret"]]
    assert accounts.find_rail("live") is not None


@pytest.mark.parametrize("slug", ["toy", "simulator"])
def test_account_does_not_take_the_name_of_a_rail_of_the_settings(slug):
    with pytest.raises(NameTaken):
        accounts.create_account(new=new(slug), **by("ana"))


def test_route_to_a_real_rail_of_the_settings_waits_whatever_account_has_its_name(settings):
    toy = settings.RAILS.pop()
    sandbox = new("toy", mode="SANDBOX", credentials=WOMPI_CREDENTIALS)
    accounts.create_account(new=sandbox, **by("ana"))
    settings.RAILS = [*settings.RAILS, toy]
    routes.save_route(route=Route(product="payin", account="toy"), **by("ana"))
    assert not Route.objects.exists()
    assert RouteChange.objects.get().status == "REQUESTED"


def test_who_approves_new_credentials_sees_what_is_no_secret_and_that_the_old_end(console):  # noqa: F811
    keys = {**PAYOUTS_CREDENTIALS, "user_principal_id": "u", "events_secret": "prod_events_1"}
    payouts = accounts.NewAccount(
        slug="live", provider="wompi-payouts", label="L", mode="LIVE", credentials=keys
    )
    accounts.create_account(new=payouts, **by("olga"))
    accounts.switch_on(slug="live", **by("olga"))
    approve()
    newer = {**keys, "email": "other@tienda.example", "events_secret": "prod_events_2"}
    accounts.rotate_credentials(slug="live", credentials=newer, refuses_old=True, **by("olga"))
    page = console.page("rails_provideraccount_change", "live").content.decode()
    assert "requested: Correo" in page
    assert "other@tienda.example" in page
    assert "prod_events_2" not in page
    assert page.count("requested: ") == 1
    assert str(account_forms.RotationBase.base_fields["refuses_old"].label) in page
