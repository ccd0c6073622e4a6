"""Webhook endpoints in the console: a merchant's administrator and operators keep them."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localtime

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, url
from tests.support.merchant_staff import browser_of, person_of, said
from webhooks import endpoints, services
from webhooks.endpoint_models import ENDPOINTS_MAX, EarlierSecret, Endpoint
from webhooks.models import Delivery, Event

pytestmark = pytest.mark.django_db
URL = "https://contabilidad.example/webhooks"
KINDS = ["payment.completed", "payment.failed"]
ON_RECORD = ("edit", "switch_on", "switch_off", "rotate_secret", "send_test", "remove")
ON_RECORD += ("resend_range", "deliveries")


@pytest.fixture
def lucia(merchant: Merchant) -> Console:
    """The merchant's administrator."""
    return browser_of(person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR))


def added(merchant: Merchant, **fields: Any) -> Endpoint:
    values = {"url": URL, "kinds": KINDS, "description": "Contabilidad", **fields}
    made, _ = endpoints.create_endpoint(
        merchant=merchant,
        new=endpoints.NewEndpoint(**values),
        actor="lucia",
        now=clock.now(),
    )
    assert made.endpoint is not None
    return made.endpoint


def published(merchant: Merchant) -> Event:
    stored = Merchant.objects.get(pk=merchant.pk)
    data = {"id": "col_1"}
    new = services.NewEvent(
        merchant=stored, kind="payment.completed", subject_id="col_1", data=data, now=clock.now()
    )
    event = services.publish(new)
    assert event is not None
    return event


def deliveries_of(event: Event) -> tuple[Delivery, Delivery]:
    """That to the URL of the account, and that to the other endpoint."""
    of_endpoint = event.deliveries.get(endpoint__isnull=False)
    return event.deliveries.get(endpoint=None), of_endpoint


def account_of(merchant: Merchant) -> str:
    return endpoints.account_endpoint_id(merchant.pk)


def secret_on(answer: Any) -> str:
    return re.findall(r"whsec_[A-Za-z0-9+/=]+", answer.content.decode())[0]


def listed(browser: Console, **query: str) -> list[str]:
    page = browser.page("webhooks_endpoint_changelist", **query)
    assert page.status_code == 200
    return [row.pk for row in page.context["cl"].result_list]


def add(browser: Console, merchant: Merchant, **form: Any) -> Any:
    values = {"url": URL, "kinds": KINDS, "description": "Contabilidad", **form}
    return browser.submit("webhooks_endpoint_add_to", merchant.pk, **values)


@pytest.mark.parametrize("who", ["lucia", "console"])
def test_an_endpoint_is_added_and_its_secret_is_shown_once(
    request: pytest.FixtureRequest, merchant: Merchant, who: str
) -> None:
    browser: Console = request.getfixturevalue(who)
    shown = add(browser, merchant)
    row = Endpoint.objects.get(merchant=merchant)
    assert (row.url, row.kinds, row.description, row.is_enabled) == (
        URL,
        KINDS,
        "Contabilidad",
        True,
    )
    assert secret_on(shown) == row.secret
    assert "no-store" in shown.headers["Cache-Control"]
    for name in ("change", "edit", "rotate_secret"):
        assert "whsec_" not in browser.page(f"webhooks_endpoint_{name}", row.pk).content.decode()
    entry = AuditEntry.objects.get(action="webhook_endpoint.created")
    assert (entry.actor, entry.reason) == ("lucia" if who == "lucia" else "ana", REASON)
    assert row.secret not in str(entry.details)


def test_the_url_of_the_account_is_the_first_and_leads_to_its_page(
    lucia: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    assert listed(lucia) == [account_of(merchant), row.pk]
    page = lucia.page("webhooks_endpoint_changelist").content.decode()
    assert merchant.webhook_url in page
    assert f'href="{url("merchants_merchant_change", merchant.pk)}"' in page
    there = lucia.page("webhooks_endpoint_change", account_of(merchant))
    assert there.url == url("merchants_merchant_change", merchant.pk)


def test_an_operator_sees_the_account_of_the_chosen_merchant(
    console: Console, merchant: Merchant, other_merchant: Merchant
) -> None:
    mine, theirs = added(merchant), added(other_merchant)
    assert listed(console) == [theirs.pk, mine.pk]
    chosen = listed(console, merchant__id__exact=merchant.pk)
    assert chosen == [account_of(merchant), mine.pk]


def test_the_button_of_the_list_leads_to_the_form(lucia: Console, merchant: Merchant) -> None:
    hop = lucia.page("webhooks_endpoint_new_endpoint")
    assert hop.url == url("webhooks_endpoint_add_to", merchant.pk)
    assert "checked" in lucia.get(hop.url).content.decode()


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"url": "http://127.0.0.1/x"}, "url"),
        ({"url": "ftp://tienda.example"}, "url"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["webhook.test"]}, "kinds"),
    ],
)
def test_what_the_sender_would_refuse_is_refused_at_the_field(
    lucia: Console, merchant: Merchant, settings: Any, form: dict[str, Any], field: str
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    refused = add(lucia, merchant, **form)
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == [field]
    assert not Endpoint.objects.exists()


def test_one_too_many_is_refused_in_words(lucia: Console, merchant: Merchant) -> None:
    for number in range(ENDPOINTS_MAX - 1):
        added(merchant, url=f"{URL}/{number}")
    refused = add(lucia, merchant)
    assert refused.status_code == 400
    assert said("A merchant has at most 16 webhook endpoints.") in refused.content.decode()
    assert Endpoint.objects.count() == ENDPOINTS_MAX - 1


def test_an_endpoint_is_changed(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    form = {"url": f"{URL}/2", "description": "ERP", "kinds": ["refund.completed"]}
    answer = lucia.submit("webhooks_endpoint_edit", row.pk, **form)
    assert answer.url == url("webhooks_endpoint_change", row.pk)
    row.refresh_from_db()
    assert (row.url, row.description, row.kinds) == (f"{URL}/2", "ERP", ["refund.completed"])
    entry = AuditEntry.objects.get(action="webhook_endpoint.changed")
    assert (entry.actor, entry.reason, entry.subject_id) == ("lucia", REASON, row.pk)


def test_it_is_switched_off_and_on(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    lucia.submit("webhooks_endpoint_switch_off", row.pk)
    row.refresh_from_db()
    assert not row.is_enabled
    page = lucia.page("webhooks_endpoint_change", row.pk).content.decode()
    assert f'href="{url("webhooks_endpoint_switch_on", row.pk)}"' in page
    assert f'href="{url("webhooks_endpoint_send_test", row.pk)}"' not in page
    lucia.submit("webhooks_endpoint_switch_on", row.pk)
    row.refresh_from_db()
    assert row.is_enabled
    actions = AuditEntry.objects.filter(subject_id=row.pk, reason=REASON)
    assert [entry.action for entry in actions] == ["webhook_endpoint.changed"] * 2


def test_a_new_secret_leaves_the_old_one_valid_for_the_hours_chosen(
    lucia: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    old = row.secret
    form = {"overlap_hours": "48", "contract_signature": "NEW"}
    shown = lucia.submit("webhooks_endpoint_rotate_secret", row.pk, **form)
    row.refresh_from_db()
    assert secret_on(shown) == row.secret != old
    earlier = EarlierSecret.objects.get(pk=row.pk)
    assert (earlier.secret, earlier.signs_contract) == (old, False)
    assert timedelta(hours=47) < earlier.until - clock.now() <= timedelta(hours=48)
    entry = AuditEntry.objects.get(action="webhook_secret.rotated")
    assert (entry.actor, entry.reason) == ("lucia", REASON)
    assert row.secret not in str(entry.details)


def test_the_secret_of_the_account_has_an_overlap_too(lucia: Console, merchant: Merchant) -> None:
    old = merchant.webhook_secret
    hop = lucia.page("merchants_merchant_rotate_secret", merchant.pk)
    assert hop.url == url("webhooks_endpoint_rotate_secret", account_of(merchant))
    form = {"overlap_hours": "24", "contract_signature": "OLD"}
    shown = lucia.submit("webhooks_endpoint_rotate_secret", account_of(merchant), **form)
    merchant.refresh_from_db()
    assert secret_on(shown) == merchant.webhook_secret != old
    assert EarlierSecret.objects.get(pk=merchant.pk).secret == old


def test_a_test_event_goes_to_the_endpoint(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    answer = lucia.submit("webhooks_endpoint_send_test", row.pk)
    delivery = Delivery.objects.get(cause="test")
    assert delivery.endpoint_id == row.pk
    assert answer.url == url("webhooks_delivery_change", delivery.pk)
    page = lucia.get(answer.url).content.decode()
    assert f'href="{url("webhooks_endpoint_change", row.pk)}"' in page


def test_a_removed_endpoint_is_read_and_no_more(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    lucia.submit("webhooks_endpoint_remove", row.pk)
    row.refresh_from_db()
    assert row.deleted_at
    entry = AuditEntry.objects.get(action="webhook_endpoint.deleted")
    assert (entry.actor, entry.reason) == ("lucia", REASON)
    assert listed(lucia) == [account_of(merchant)]
    assert listed(lucia, state="removed") == [row.pk]
    page = lucia.page("webhooks_endpoint_change", row.pk).content.decode()
    assert said("It was removed: nothing is sent there any more.") in page
    for act in set(ON_RECORD) - {"deliveries"}:
        assert lucia.page(f"webhooks_endpoint_{act}", row.pk).status_code == 404, act


def test_deliveries_say_where_they_go_and_are_listed_by_endpoint(
    lucia: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    event = published(merchant)
    to_account, to_endpoint = deliveries_of(event)
    both = lucia.page("webhooks_delivery_changelist")
    assert "Contabilidad" in both.content.decode()
    for chosen, delivery in ((row.pk, to_endpoint), ("account", to_account)):
        found = lucia.page("webhooks_delivery_changelist", to=chosen).context["cl"].result_list
        assert [each.pk for each in found] == [delivery.pk]
    hop = lucia.page("webhooks_endpoint_deliveries", row.pk)
    assert [each.pk for each in lucia.get(hop.url).context["cl"].result_list] == [to_endpoint.pk]
    assert "Contabilidad" in lucia.page("webhooks_event_change", event.pk).content.decode()


def test_the_list_says_what_happens_at_each(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    event = published(merchant)
    event.deliveries.filter(endpoint=row).update(status="FAILED", next_attempt_at=None)
    event.deliveries.filter(endpoint=None).update(attempts=1)
    page = lucia.page("webhooks_endpoint_changelist")
    account, other = page.context["cl"].result_list
    assert (account.last_status, account.failed_count, account.retried_count) == (
        *("PENDING", None),
        1,
    )
    assert (other.last_status, other.failed_count, other.retried_count) == ("FAILED", 1, None)


def test_an_event_is_sent_again_to_the_endpoint_that_is_chosen(
    lucia: Console, merchant: Merchant
) -> None:
    event = published(merchant)
    row = added(merchant)
    lucia.submit("webhooks_event_resend", event.pk, destination=row.pk)
    assert Delivery.objects.get(cause="resend").endpoint_id == row.pk
    lucia.submit("webhooks_event_resend", event.pk, destination="account")
    assert Delivery.objects.filter(cause="resend", endpoint=None).count() == 1
    assert lucia.submit("webhooks_event_resend", event.pk).status_code == 400


def test_event_for_an_endpoint_that_was_removed_since_goes_nowhere_else(
    lucia: Console, merchant: Merchant
) -> None:
    event, row = published(merchant), added(merchant)
    shown = lucia.page("webhooks_event_resend", event.pk)
    lucia.submit("webhooks_endpoint_remove", row.pk)
    form = {"form_token": shown.context["form_token"], "reason": REASON, "destination": row.pk}
    assert lucia.post(url("webhooks_event_resend", event.pk), form).status_code == 400
    assert not Delivery.objects.filter(cause="resend").exists()


def test_a_range_is_sent_to_an_endpoint_that_is_new(lucia: Console, merchant: Merchant) -> None:
    event = published(merchant)
    row = added(merchant)
    hop = lucia.page("webhooks_endpoint_resend_range", row.pk)
    form = lucia.get(hop.url).context["form"]
    assert form.initial["destination"] == row.pk
    values = {"destination": row.pk, "only_missing": "on"}
    for name, moment in (("first", -1), ("last", 1)):
        at = localtime(clock.now() + timedelta(hours=moment))
        values |= {f"{name}_0": f"{at:%Y-%m-%d}", f"{name}_1": f"{at:%H:%M:%S}"}
    lucia.submit("webhooks_resend_range", merchant.pk, **values)
    again = Delivery.objects.get(cause="resend")
    assert (again.event_id, again.endpoint_id) == (event.pk, row.pk)


def test_a_delivery_that_failed_is_not_done_because_another_endpoint_has_the_event(
    lucia: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    to_account, to_endpoint = deliveries_of(published(merchant))
    arrived = {"status": "DELIVERED", "next_attempt_at": None, "delivered_at": clock.now()}
    Delivery.objects.filter(pk=to_account.pk).update(**arrived)
    failed = {"status": "FAILED", "next_attempt_at": None, "attempts": 5}
    Delivery.objects.filter(pk=to_endpoint.pk).update(**failed)
    missing = "Los 5 intentos fallaron: envíala de nuevo cuando el receptor responda."
    page = url("webhooks_delivery_change", to_endpoint.pk)
    assert missing in lucia.get(page).content.decode()
    lucia.submit("webhooks_delivery_resend", to_endpoint.pk)
    again = Delivery.objects.get(cause="resend")
    assert again.endpoint_id == row.pk
    Delivery.objects.filter(pk=again.pk).update(**arrived)
    assert missing not in lucia.get(page).content.decode()


def test_an_endpoint_that_is_off_is_no_choice(lucia: Console, merchant: Merchant) -> None:
    event = published(merchant)
    row = added(merchant, is_enabled=False)
    added(merchant, url=f"{URL}/2")
    answer = lucia.submit("webhooks_event_resend", event.pk, destination=row.pk)
    assert answer.status_code == 400
    assert not Delivery.objects.filter(cause="resend").exists()


def test_a_delivery_that_waits_for_its_endpoint_says_so(lucia: Console, merchant: Merchant) -> None:
    row = added(merchant)
    delivery = published(merchant).deliveries.get(endpoint=row)
    Delivery.objects.filter(pk=delivery.pk).update(status="WAITING", next_attempt_at=None)
    page = lucia.page("webhooks_delivery_change", delivery.pk).content.decode()
    assert said("It waits until the endpoint is on again, and goes out at once then.") in page
    hop = lucia.page("webhooks_delivery_change_endpoint", delivery.pk)
    assert hop.url == url("webhooks_endpoint_edit", row.pk)


def test_where_a_delivery_goes_decides_which_url_its_page_changes(
    lucia: Console, merchant: Merchant
) -> None:
    row = added(merchant)
    to_account, to_endpoint = deliveries_of(published(merchant))
    for delivery, offered, absent in (
        (to_account, "set_url", "change_endpoint"),
        (to_endpoint, "change_endpoint", "set_url"),
    ):
        page = lucia.page("webhooks_delivery_change", delivery.pk).content.decode()
        assert url(f"webhooks_delivery_{offered}", delivery.pk) in page
        assert url(f"webhooks_delivery_{absent}", delivery.pk) not in page
    assert row.pk == to_endpoint.endpoint_id


@pytest.mark.parametrize(
    ("attempts", "sentence"),
    [
        (0, "No se envió nada. Esto se habría enviado:"),
        (5, "Se hicieron 5 intentos; su detalle ya no se guarda. Esto se envió:"),
    ],
)
def test_a_delivery_without_rows_of_attempts_says_what_was_sent(
    lucia: Console, merchant: Merchant, attempts: int, sentence: str
) -> None:
    delivery = published(merchant).deliveries.get()
    ended = {"status": "FAILED", "next_attempt_at": None, "attempts": attempts}
    Delivery.objects.filter(pk=delivery.pk).update(**ended)
    page = lucia.page("webhooks_delivery_change", delivery.pk).content.decode()
    assert sentence in page
    assert said("Nothing has been sent yet") not in page


@pytest.mark.parametrize("who", ["lucia", "console"])
def test_a_long_list_costs_no_more_queries(
    request: pytest.FixtureRequest, merchant: Merchant, who: str
) -> None:
    browser: Console = request.getfixturevalue(who)

    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert listed(browser, merchant__id__exact=merchant.pk)
        return [query["sql"] for query in captured]

    added(merchant)
    published(merchant)
    queries()  # what a process reads once
    few = queries()
    for number in range(12):
        added(merchant, url=f"{URL}/{number}")
    published(merchant)
    many = queries()
    assert len(many) == len(few)
    assert '"webhooks_endpoint"."secret"' not in " ".join(many)
