"""Who decides where a refund by payout goes, and what is compared before it is sent."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.admin import site
from django.core import signing
from django.test import Client
from django.utils import translation

from payments.collect.admin import refund_texts
from payments.collect.admin.refunds import RefundAdmin
from payments.collect.apps import CollectConfig
from payments.collect.models import Charge, Refund
from payments.collect.services.orders import retention
from payments.collect.services.refunds import refund_destinations, refund_keys
from payments.collect.services.refunds.refund_approvals import reject
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.outgoing import resolutions
from payments.rails.models import KeyCheck
from tests.rails.test_refunds_by_payout import (  # noqa: F401 (a fixture)
    approve_it,
    ask,
    give,
    paid,
    path_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


@pytest.fixture
def waiting(api, paid):  # noqa: F811
    """A refund that waits for its payer, as the API shows it."""
    order, _ = paid
    return order, ask(api, order)


def possible():
    return RefundAdmin(Refund, site).possible(Refund.objects.get())


def test_refund_is_approved_only_once_its_account_is_known(waiting):
    order, data = waiting
    with pytest.raises(NotAllowed, match="has not named an account"):
        approve_it()
    assert possible() == {"reject"}
    give(order, path_of(data))
    assert possible() == {"approve", "reject"}


def test_approver_sees_the_payer_beside_the_account(waiting):
    order, data = waiting
    give(order, path_of(data), document_number="99.888.777")
    refund = Refund.objects.get()
    (warning,) = refund_texts.warnings(refund)
    assert "documento distinto" in warning
    told = " ".join(RefundAdmin(Refund, site).summary(refund))
    assert "···8901" in told
    assert "···8777" in told
    assert refund.charge.payer["document_number"][-4:] in told
    assert warning in told
    assert "12345678901" not in told


def test_account_of_the_payer_has_no_warning(waiting):
    order, data = waiting
    payer = Charge.objects.get().payer
    own = {name: payer[name] for name in ("document_type", "document_number")}
    give(order, path_of(data), **own)
    assert refund_texts.warnings(Refund.objects.get()) == []


def test_payer_without_a_document_is_a_warning(waiting):
    order, data = waiting
    give(order, path_of(data))
    Charge.objects.update(payer={})
    (warning,) = refund_texts.warnings(Refund.objects.get())
    assert "no tiene el documento" in warning


def test_changed_account_is_not_sent_but_waits_for_an_operator(waiting):
    order, data = waiting
    give(order, path_of(data))
    approve_it()
    refund = Refund.objects.get()
    refund.destination["account_number"] = "99999999999"
    refund.save(update_fields=["destination"])
    engine.process_due(now=clock.now())
    refund.refresh_from_db()
    assert (refund.status, refund.needs_operator) == ("PENDING", True)
    assert resolutions.outcomes(refund) == {"FAILED"}
    step = RefundAdmin(Refund, site).next_step(refund)
    assert "no es la que se aprobó" in step.why
    assert "como fallido" in step.why
    assert step.actions == ("resolve",)


def test_account_that_changed_after_the_send_is_asked_about_first(waiting):
    order, data = waiting
    give(order, path_of(data))
    approve_it()
    engine.process_due(now=clock.now())
    refund = Refund.objects.get()
    assert "no es la que se aprobó" not in RefundAdmin(Refund, site).next_step(refund).why
    refund.destination["account_number"] = "99999999999"
    refund.needs_operator = True
    step = RefundAdmin(Refund, site).next_step(refund)
    assert "consulta primero a la red" in step.why
    assert step.actions == ("ask_rail", "resolve")


def test_audit_rows_hold_no_account_but_the_same_fingerprint(waiting):
    order, data = waiting
    give(order, path_of(data))
    approve_it()
    rows = AuditEntry.objects.filter(action__in=["refund.destination_given", "refund.approved"])
    given, approved = (row.details for row in rows.order_by("id"))
    assert given["destination"] == approved["destination"]
    assert "12345678901" not in str([given, approved])


def test_link_ends_after_a_month_and_the_next_read_has_a_new_one(api, waiting):
    order, data = waiting
    with time_machine.travel(clock.now() + timedelta(days=31), tick=True):
        answer = Client().get(path_of(data))
        assert answer.status_code == 410
        assert "<form" not in answer.content.decode()
        (read,) = api.get(f"/collect/{order.pk}/refunds").body["data"]
        assert Client().get(path_of(read)).status_code == 200


def test_link_without_a_time_is_not_found(waiting):
    order, _ = waiting
    signed = signing.Signer(salt="refund-destination").sign(Refund.objects.get().pk)
    assert Client().get(f"/pay/{order.token}/refund/{signed}").status_code == 404


def test_refund_that_waits_for_its_payer_can_be_rejected(api, merchant, waiting):
    order, data = waiting
    reject(refund=Refund.objects.get(), actor="olga", reason="no answer", now=clock.now())
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 50000
    assert Client().get(path_of(data)).status_code == 200
    late = {"account": "any", "destination": {"network": "BANK"}}
    assert not refund_destinations.give_destination(refund=Refund.objects.get(), **late)
    read = api.get(f"/collect/{order.pk}/refunds/{data['id']}").body["data"]
    assert (read["status"], read["destinationUrl"]) == ("FAILED", None)


def test_operators_find_a_silent_payer_after_a_week(waiting):
    queues = {queue.query: queue for queue in CollectConfig.console.queues}

    def found(query, **after):
        where = queues[f"exceptions={query}"].where(clock.now() + timedelta(**after))
        return Refund.objects.filter(where).count()

    assert (found("destination", days=6), found("destination", days=8)) == (0, 1)
    assert found("approval", days=8) == 0
    order, data = waiting
    give(order, path_of(data))
    assert (found("destination", days=8), found("approval", days=8)) == (0, 1)


KEY = {
    "network": "BREB",
    "key_type": "ALPHANUMERIC",
    "key_value": "@elias123",
    "recipient_name": "Elias Colón",
}


def test_approver_sees_the_holder_of_the_key(waiting):
    order, data = waiting
    give(order, path_of(data), **KEY)
    refund = Refund.objects.get()
    refund_keys.check(refund=refund, now=clock.now())
    told = " ".join(RefundAdmin(Refund, site).summary(refund))
    assert "E**** C**** · BANCOLOMBIA" in told
    assert "otro nombre" not in told
    approve_it()
    details = AuditEntry.objects.get(action="refund.approved").details
    assert (details["key"], details["key_holder"]) == ("FOUND", "E**** C****")


def test_key_in_another_name_is_a_warning(waiting):
    order, data = waiting
    give(order, path_of(data), **{**KEY, "recipient_name": "Beatriz Pinzón"})
    refund = Refund.objects.get()
    refund_keys.check(refund=refund, now=clock.now())
    assert "otro nombre" in str(refund_texts.warnings(refund))


def test_refund_to_a_key_that_the_rail_does_not_know_is_not_sent(merchant, paid, waiting):  # noqa: F811
    order, data = waiting
    give(order, path_of(data), **{**KEY, "key_type": "EMAIL", "key_value": "noexiste@test.com"})
    approve_it()
    engine.process_due(now=clock.now())
    refund = Refund.objects.get()
    assert (refund.status, refund.failure_reason) == ("FAILED", "KEY_NOT_FOUND")
    assert paid[1].control.state()["paid_in_cents"] == {}
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 50000


def test_key_that_was_not_approved_is_not_asked_for(waiting):
    order, data = waiting
    give(order, path_of(data), **KEY)
    approve_it()
    refund = Refund.objects.get()
    refund.destination["key_value"] = "@another1"
    refund.save(update_fields=["destination"])
    engine.process_due(now=clock.now())
    refund.refresh_from_db()
    assert (refund.status, refund.needs_operator) == ("PENDING", True)
    assert not KeyCheck.objects.exists()


def test_forgotten_payer_leaves_no_account(waiting):
    order, data = waiting
    give(order, path_of(data), **KEY)
    refund_keys.check(refund=Refund.objects.get(), now=clock.now())
    reject(refund=Refund.objects.get(), actor="olga", reason="no answer", now=clock.now())
    retention._forget([order.pk])
    assert Refund.objects.get().destination == {}
    assert not KeyCheck.objects.exists()
