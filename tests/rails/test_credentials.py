"""Credentials of live accounts count after a second person; a contract keeps its account."""

import hashlib
import json
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from payments.collect.models import Charge
from payments.core import clock, jsontext
from payments.providers import registry
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts, approvals
from payments.rails.services.errors import OtherContract, RequestChanged
from tests.rails.accounts import WOMPI_CREDENTIALS, enter, route, wompi
from tests.rails.test_payin_accounts import start
from tests.support.charges import create

pytestmark = pytest.mark.django_db
LIVE = {name: value.replace("test_", "prod_") for name, value in WOMPI_CREDENTIALS.items()}
MINUTE = timedelta(minutes=1)
MINE = {**LIVE, "events_secret": "prod_events_MINE"}


def by(person):
    return {"slug": "live", "actor": person, "reason": "test", "now": clock.now()}


def account():
    return ProviderAccount.objects.get(pk="live")


def enter_live():
    new = accounts.NewAccount(
        slug="live", provider="wompi", label="L", mode="LIVE", credentials=LIVE
    )
    accounts.create_account(new=new, actor="olga", reason="test", now=clock.now())
    accounts.switch_on(**by("olga"))


def approve_live():
    approvals.approve(**by("beto"), digest=approvals.digest_to_approve(account()))


@pytest.fixture
def charge(api, settings):
    with wompi(pse_resolution="payer"):
        route("payin", "wompi-main")
        charge = start(create(api))
    settings.SANDBOX = False
    Charge.objects.update(provider="live")
    return charge


def tell(charge, secret):
    """An event that says APPROVED, with the signature of a person who knows the secret."""
    cents = int(charge.amount * 100)
    names = ["transaction.id", "transaction.status", "transaction.amount_in_cents"]
    checksum = hashlib.sha256(f"xAPPROVED{cents}1{secret}".encode()).hexdigest()
    told = {"id": "x", "status": "APPROVED", "amount_in_cents": cents}
    event = {
        "event": "transaction.updated",
        "environment": "prod",
        "timestamp": 1,
        "data": {"transaction": {**told, "reference": charge.pk, "currency": "COP"}},
        "signature": {"properties": names, "checksum": checksum},
    }
    body = jsontext.dumps(event)
    return Client().post("/callbacks/payin/live", body, content_type="application/json").status_code


def test_credentials_that_one_person_entered_are_not_believed(charge):
    enter_live()
    approve_live()
    accounts.rotate_credentials(**by("mallory"), credentials=MINE)
    assert tell(charge, MINE["events_secret"]) == 401
    charge.order.refresh_from_db()
    assert charge.order.status != "COMPLETED"
    assert (account().status, json.loads(account().credentials)) == ("ON", LIVE)
    approvals.approve_credentials(**by("beto"), digest=approvals.digest_to_approve(account()))
    assert json.loads(account().credentials) == MINE
    assert registry.find_rail("live") is not None


def test_account_that_was_never_approved_verifies_nothing(charge):
    enter_live()
    assert registry.find_rail("live") is None
    assert tell(charge, LIVE["events_secret"]) == 404
    approve_live()
    assert registry.find_rail("live") is not None


def test_approval_is_of_the_set_that_the_person_saw():
    enter_live()
    approve_live()
    accounts.rotate_credentials(
        **by("olga"), credentials={**LIVE, "events_secret": "prod_events_1"}
    )
    seen = approvals.digest_to_approve(account())
    accounts.rotate_credentials(**by("mallory"), credentials=MINE)
    with pytest.raises(RequestChanged):
        approvals.approve_credentials(**by("beto"), digest=seen)
    assert json.loads(account().credentials) == LIVE


def test_old_secret_that_leaked_is_refused_at_once():
    enter("live", "wompi", "", WOMPI_CREDENTIALS)
    fresh = {**WOMPI_CREDENTIALS, "events_secret": "test_events_fresh"}
    accounts.rotate_credentials(**by("olga"), credentials=fresh, refuses_old=True)
    rail_account = accounts.to_rail_account(account(), clock.now())
    assert rail_account.secrets("events_secret") == ["test_events_fresh"]


def test_old_secret_counts_until_the_rotation_is_over(settings):
    """The rail repeats an event for more than a day, signed as it was at first."""
    enter("live", "wompi", "", WOMPI_CREDENTIALS)
    fresh = {**WOMPI_CREDENTIALS, "events_secret": "test_events_fresh"}
    accounts.rotate_credentials(**by("olga"), credentials=fresh)
    overlap = timedelta(seconds=settings.RAIL_ROTATION_SECONDS)
    for passed, old in ((timedelta(), 200), (overlap - MINUTE, 200), (overlap + MINUTE, 401)):
        with time_machine.travel(clock.now() + passed):
            assert tell_nothing(WOMPI_CREDENTIALS["events_secret"]) == old
            assert tell_nothing("test_events_fresh") == 200


def tell_nothing(secret):
    """A genuine event of a kind that nothing waits for."""
    checksum = hashlib.sha256(f"x1{secret}".encode()).hexdigest()
    event = {
        "event": "nequi_token.updated",
        "environment": "test",
        "timestamp": 1,
        "data": {"token": {"id": "x"}},
        "signature": {"properties": ["token.id"], "checksum": checksum},
    }
    body = jsontext.dumps(event)
    return Client().post("/callbacks/payin/live", body, content_type="application/json").status_code


def test_rotation_keeps_the_contract():
    """Another contract does not know the payments of this one, and would pay them again."""
    enter("live", "wompi", "", WOMPI_CREDENTIALS)
    other = {**WOMPI_CREDENTIALS, "public_key": "pub_test_other"}
    with pytest.raises(OtherContract):
        accounts.rotate_credentials(**by("olga"), credentials=other)
    assert json.loads(account().credentials) == WOMPI_CREDENTIALS
