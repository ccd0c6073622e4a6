"""Who changes a merchant's webhook endpoints in the console; those of others are out of reach."""

from datetime import timedelta

import pytest
import time_machine

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, url
from tests.admin.test_endpoints import (
    KINDS,
    ON_RECORD,
    URL,
    account_of,
    added,
    listed,
    published,
)
from tests.support.merchant_staff import browser_of, person_of, said
from webhooks.endpoint_models import Endpoint
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db


@pytest.fixture
def lucia(merchant: Merchant) -> Console:
    """The merchant's administrator."""
    return browser_of(person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR))


def test_staff_of_the_merchant_sees_and_tests_and_changes_nothing(merchant: Merchant) -> None:
    row = added(merchant)
    staff = browser_of(person_of(merchant, "simon", roles.MERCHANT_STAFF))
    assert listed(staff) == [account_of(merchant), row.pk]
    assert staff.page("webhooks_endpoint_change", row.pk).status_code == 200
    assert staff.submit("webhooks_endpoint_send_test", row.pk).status_code == 302
    for act in ("edit", "switch_off", "rotate_secret", "remove"):
        assert staff.page(f"webhooks_endpoint_{act}", row.pk).status_code == 403, act
        answer = staff.post(url(f"webhooks_endpoint_{act}", row.pk), {"form_token": "x"})
        assert answer.status_code == 403, act
    assert staff.page("webhooks_endpoint_rotate_secret", account_of(merchant)).status_code == 403
    assert staff.page("webhooks_endpoint_add_to", merchant.pk).status_code == 403
    assert staff.page("webhooks_endpoint_new_endpoint").status_code == 403


@pytest.mark.parametrize("act", ["edit", "switch_off", "rotate_secret", "remove", "add_to"])
def test_an_old_login_wants_the_password_first(
    lucia: Console, merchant: Merchant, act: str
) -> None:
    row = added(merchant)
    secret, entries = row.secret, AuditEntry.objects.count()
    of = merchant.pk if act == "add_to" else row.pk
    form = {"url": f"{URL}/3", "kinds": KINDS, "overlap_hours": "0", "contract_signature": "OLD"}
    with time_machine.travel(clock.now() + timedelta(minutes=16), tick=False):
        asked = lucia.submit(f"webhooks_endpoint_{act}", of, **form)
    assert "confirm_password" in asked.content.decode()
    row.refresh_from_db()
    assert (row.url, row.secret, row.is_enabled, row.deleted_at) == (URL, secret, True, None)
    assert Endpoint.objects.count() == 1
    assert AuditEntry.objects.count() == entries


def test_no_endpoint_and_no_secret_of_another_merchant_is_reached(
    lucia: Console, merchant: Merchant, other_merchant: Merchant
) -> None:
    """By its id, by that of the account, by the merchant's, or by a choice of a form."""
    mine, theirs = added(merchant), added(other_merchant, description="Ajena")
    event, secret = published(merchant), theirs.secret
    before = AuditEntry.objects.count()
    form = {
        "form_token": "x",
        "reason": REASON,
        "url": f"{URL}/mine",
        "kinds": KINDS,
        "overlap_hours": "0",
        "contract_signature": "OLD",
        "merchant": other_merchant.pk,
    }
    for act in ON_RECORD:
        for pk in (theirs.pk, account_of(other_merchant)):
            address = url(f"webhooks_endpoint_{act}", pk)
            answers = (lucia.get(address), lucia.post(address, form))
            assert [answer.status_code for answer in answers] == [404, 404], (act, pk)
    for pk in (theirs.pk, account_of(other_merchant)):
        answer = lucia.page("webhooks_endpoint_change", pk)
        assert (answer.status_code, answer.url) == (302, url("index"))
    for address in (
        url("webhooks_endpoint_add_to", other_merchant.pk),
        url("merchants_merchant_rotate_secret", other_merchant.pk),
        url("webhooks_resend_range", other_merchant.pk),
    ):
        assert lucia.get(address).status_code == lucia.post(address, form).status_code == 404
    for query in (
        {"merchant__id__exact": other_merchant.pk},
        {"q": theirs.pk},
        {"q": "Ajena"},
        {"state": "on", "merchant__id__exact": other_merchant.pk},
    ):
        page = lucia.page("webhooks_endpoint_changelist", **query).content.decode()
        assert url("webhooks_endpoint_change", theirs.pk) not in page, query
        assert url("merchants_merchant_change", other_merchant.pk) not in page, query
    shown = lucia.page("webhooks_delivery_changelist", to=theirs.pk).content.decode()
    assert "Ajena" not in shown
    asked = url("webhooks_resend_range", merchant.pk)
    assert "Ajena" not in lucia.get(asked, {"endpoint": theirs.pk}).content.decode()
    for destination in (theirs.pk, account_of(other_merchant), other_merchant.pk):
        answer = lucia.submit("webhooks_event_resend", event.pk, destination=destination)
        assert answer.status_code == 400, destination
    theirs.refresh_from_db()
    assert (theirs.url, theirs.secret, theirs.is_enabled) == (URL, secret, True)
    stored = Merchant.objects.get(pk=other_merchant.pk)
    assert stored.webhook_secret == other_merchant.webhook_secret
    assert not Delivery.objects.filter(endpoint=theirs).exists()
    assert not Delivery.objects.filter(cause="resend").exists()
    assert AuditEntry.objects.count() == before
    # Her own she reaches with the same form: so the form is right.
    assert lucia.submit("webhooks_endpoint_edit", mine.pk, **form).status_code == 302


def test_acts_of_operators_are_shown_without_their_names_and_reasons(
    lucia: Console, console: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    console.submit("webhooks_endpoint_switch_off", row.pk, reason="Suspected by Dora")
    page = lucia.page("webhooks_endpoint_change", row.pk).content.decode()
    assert said("Switched the endpoint off") in page
    assert "Suspected by Dora" not in page
    assert "— ana" not in page
    assert "Suspected by Dora" in console.page("webhooks_endpoint_change", row.pk).content.decode()


def test_what_a_merchant_writes_stays_text(console: Console, merchant: Merchant) -> None:
    row = added(merchant, description="<b id=x>")
    event = published(merchant)
    delivery = event.deliveries.get(endpoint=row)
    for name, *of in (
        ("endpoint_changelist",),
        ("endpoint_change", row.pk),
        ("endpoint_remove", row.pk),
        ("delivery_changelist",),
        ("delivery_change", delivery.pk),
        ("event_change", event.pk),
        ("event_resend", event.pk),
    ):
        page = console.page(f"webhooks_{name}", *of, merchant__id__exact=merchant.pk)
        assert "<b id=x>" not in page.content.decode(), name


@pytest.mark.parametrize("value", ["\0", "x", "whe_\0"])
def test_no_filter_fails_on_what_is_no_id(lucia: Console, console: Console, value: str) -> None:
    for browser in (lucia, console):
        for name, parameter in (("endpoint", "state"), ("delivery", "to")):
            answer = browser.page(f"webhooks_{name}_changelist", **{parameter: value})
            assert answer.status_code in (200, 302), parameter
