"""Stories of the kinds that are additions to the contract, as a merchant would bring them about:
over the API, in the sandbox, and by people at the console.
"""

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from payments.bills import tasks as bills
from payments.collect.models import Charge
from payments.console import roles
from payments.payout import tasks as payouts
from payments.payout_batches import tasks as batches
from payments.simulator import clockwork
from payments.topup import tasks as topups
from tests.admin.conftest import Console
from tests.journeys.event_world import METADATA, Later, World, order_part, tells
from tests.payout_batches import flow
from tests.support import bills as billing
from tests.support.catalogues import load
from tests.support.factories import payout_body
from tests.support.journey import pay_at_the_bank, submit
from tests.support.merchant_staff import browser_of, person_of
from tests.support.topups import FAILED_LATER, RETURNED, topup_body

# The rail says nothing of this payee, so that the sandbox decides.
WAITING = "9999001014"
BATCHES = "/admin/payout_batches/payoutbatch/"
# The bank has not answered yet.
HANDED_OVER = {
    "status": "PROCESSING",
    "providerPayoutId": None,
    "failureReason": None,
    "completedAt": None,
}
PAYEE = {
    "name": "J··· P···",
    "documentType": "CC",
    "documentNumber": "···1014",
    "bankCanonicalId": "bancolombia",
    "accountType": "SAVINGS",
    "accountNumber": "···8901",
    "keyType": None,
    "keyValue": None,
}


def prepare(world: World) -> str:
    """The catalogues are loaded, and there is play money."""
    at = world.at("2026-03-02T17:00:00.123Z")
    load(now=world.now)
    world.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    return at


def work() -> None:
    """The turn of the worker, and of the simulated rails."""
    clockwork.tick()
    batches.process_batches()
    for product in (payouts, topups, bills):
        product.process_due()


def payout_part(shown: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "id": shown["payoutId"],
        "reference": "NOMINA-7",
        "status": shown["status"],
        "amount": 100000,
        "feeAmount": 2500,
        "currency": "COPM",
        "network": "bank",
        "beneficiary": PAYEE,
        "providerPayoutId": shown["providerPayoutId"],
        "failureReason": shown["failureReason"],
        "metadata": METADATA,
        "createdAt": shown["createdAt"],
        "completedAt": shown["completedAt"],
        **changes,
    }


def end_payout(world: World, payout_id: str, status: str) -> dict[str, Any]:
    shown = world.post(f"/sandbox/payout/{payout_id}", {"status": status})
    assert shown["status"] == status
    return shown


@tells("payout.processing", "payout.completed", "payout.failed", "payout.refunded")
def payouts_end_in_the_sandbox(world: World) -> None:
    prepare(world)
    body = payout_body(recipientDocNumber=WAITING, reference="NOMINA-7", metadata=METADATA)
    made = world.post("/payout", body, key="p-1")
    at = world.at("2026-03-02T18:00:00.001Z")
    shown = end_payout(world, made["payoutId"], "COMPLETED")
    assert shown["completedAt"] == Later(at)
    world.expect("payout.processing", Later(at), payout_part(shown, **HANDED_OVER))
    world.expect("payout.completed", Later(at), payout_part(shown))
    at = world.at("2026-03-02T19:00:00.002Z")
    shown = end_payout(world, made["payoutId"], "REFUNDED")
    world.expect("payout.refunded", Later(at), payout_part(shown))

    made = world.post("/payout", body, key="p-2")
    at = world.at("2026-03-02T20:00:00.003Z")
    shown = end_payout(world, made["payoutId"], "FAILED")
    assert shown["completedAt"] is None
    world.expect("payout.processing", Later(at), payout_part(shown, **HANDED_OVER))
    world.expect("payout.failed", Later(at), payout_part(shown))


def topup_part(shown: dict[str, Any], **changes: Any) -> dict[str, Any]:
    told = shown | {"phone": f"···{shown['phone'][-4:]}", **changes}
    return {name: value for name, value in told.items() if name != "ticket"}


def bill_part(shown: dict[str, Any], **changes: Any) -> dict[str, Any]:
    told = shown | {"billReference": f"···{shown['billReference'][-4:]}", **changes}
    return {name: value for name, value in told.items() if name not in ("ticket", "codeRecord")}


@tells("topup.processing", "topup.completed", "topup.failed", "topup.refunded")
def topups_end_by_their_phones(world: World) -> None:
    prepare(world)
    made = [
        world.post("/topup", topup_body(phone=phone), key=phone)
        for phone in (RETURNED, FAILED_LATER)
    ]
    end_later(world, "/topup", "topup", made, topup_part)


@tells("bill.processing", "bill.completed", "bill.failed", "bill.refunded")
def bills_end_by_their_references(world: World) -> None:
    prepare(world)
    made = []
    for name in ("returned-later", "failed-later"):
        bill = billing.reference(name)
        (owed,) = billing.owed(world.api, bill)
        made.append(world.post("/bills/pay", billing.body_of(bill, owed["amount"]), key=name))
    end_later(world, "/bills/payments", "bill", made, bill_part)


def end_later(world: World, path: str, name: str, made: list[dict[str, Any]], part: Any) -> None:
    """The first is completed at once and comes back; the second fails."""
    at = world.moment
    back, failed = made
    assert (back["status"], failed["status"]) == ("completed", "processing")
    then = {"status": "processing", "completedAt": None}
    shown = world.get(f"{path}/{back['id']}")
    world.expect(f"{name}.processing", Later(at), part(shown, **then))
    world.expect(f"{name}.completed", Later(at), part(shown))
    world.expect(f"{name}.processing", Later(at), part(world.get(f"{path}/{failed['id']}")))
    at = world.at("2026-03-02T18:00:00.005Z")
    work()
    for each, end in ((back, "refunded"), (failed, "failed")):
        shown = world.get(f"{path}/{each['id']}")
        assert shown["status"] == end
        world.expect(f"{name}.{end}", Later(at), part(shown))


def batch_part(shown: dict[str, Any], **changes: Any) -> dict[str, Any]:
    data = {**shown, "id": shown["batchId"], **changes}
    del data["batchId"]
    return data


@tells("batch.running", "batch.done", "payout.processing", "payout.completed")
def a_batch_is_paid(world: World) -> None:
    at = prepare(world)
    line = payout_body(recipientDocNumber=WAITING, reference="NOMINA-7", metadata=METADATA)
    made = world.post("/payout/batches", {"name": "Nómina", "lines": [line]}, key="b-1")
    world.expect("batch.running", at, batch_part(made))
    batches.process_batches()
    batch = world.get(f"/payout/batches/{made['batchId']}")
    assert (batch["status"], batch["finishedAt"], batch["lines"]) == ("DONE", at, {"PENDING": 1})
    world.expect("batch.done", at, batch_part(batch))
    at = world.at("2026-03-02T17:30:00.000Z")
    (made,) = world.get(f"/payout/batches/{made['batchId']}/lines")
    shown = end_payout(world, made["payoutId"], "COMPLETED")
    world.expect("payout.processing", Later(at), payout_part(shown, **HANDED_OVER))
    world.expect("payout.completed", Later(at), payout_part(shown))


def step(browser: Console, address: str, **fields: Any) -> None:
    """Opens a page of the console, and sends its form."""
    opened = browser.get(f"{BATCHES}{address}/")
    assert opened.status_code == 200, address
    form = opened.context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | fields
    given = {name: value for name, value in sent.items() if value != ""}
    token = opened.context["form_token"]
    assert browser.post(f"{BATCHES}{address}/", {"form_token": token, **given}).status_code == 302


def file_of_two_people(world: World) -> tuple[str, Console, Console]:
    """Uploaded, checked and sent; both people are at their browsers."""
    prepare(world)
    paula = browser_of(person_of(world.merchant, flow.PREPARER, roles.MERCHANT_PREPARER))
    andres = browser_of(person_of(world.merchant, flow.APPROVER, roles.MERCHANT_APPROVER))
    step(paula, "upload", file=SimpleUploadedFile("nomina.csv", flow.many(2)))
    batches.process_batches()
    (batch,) = world.get("/payout/batches")
    step(paula, f"{batch['batchId']}/send")
    return batch["batchId"], paula, andres


@tells("batch.running", "batch.paused", "batch.cancelled")
def people_stop_a_file(world: World) -> None:
    batch, paula, andres = file_of_two_people(world)
    for who, act, kind in (
        (andres, "approve", "running"),
        (paula, "pause", "paused"),
        (paula, "cancel", "cancelled"),
    ):
        step(who, f"{batch}/{act}", reason="Ya no")
        shown = world.get(f"/payout/batches/{batch}")
        assert shown["status"] == kind.upper()
        world.expect(f"batch.{kind}", world.moment, batch_part(shown))


@tells("batch.rejected")
def an_approver_rejects_a_file(world: World) -> None:
    batch, _paula, andres = file_of_two_people(world)
    step(andres, f"{batch}/reject", reason="Sin soporte")
    shown = world.get(f"/payout/batches/{batch}")
    assert (shown["status"], shown["source"]) == ("REJECTED", "FILE")
    world.expect("batch.rejected", world.moment, batch_part(shown))


@tells("link.paid", "payment.completed", "payment.confirmed")
def a_link_is_paid(world: World) -> None:
    link = world.post("/links", {"title": "Café de Nariño", "amount": 50000}, key="l-1")
    page = link["url"].removeprefix("http://testserver")
    key = re.search(r'name="form_key" value="([^"]+)"', world.payer.get(page).content.decode())
    assert key
    payer = {"name": "María Gómez", "email": "maria@example.com", "consent": "on"}
    sent = submit(world.payer, page, form_key=key[1], **payer)
    at = world.at("2026-03-02T17:10:00.004Z")
    pay_at_the_bank(world.payer, {"collectUrl": sent.headers["Location"]}, "approve")
    (order,) = world.get("/collect")
    paid = order_part(order, "COMPLETED", at) | {"metadata": {}, "linkId": link["id"]}
    paid_by = {
        "traceCode": Charge.objects.get().trace_code,
        "failureReason": None,
        "attempts": 1,
    }
    world.expect("payment.completed", at, paid, paid_by)
    world.expect("payment.confirmed", at, paid)
    code = page.rpartition("/")[2]
    named = {"linkCode": code, "linkTitle": "Café de Nariño", "linkUrl": link["url"]}
    world.expect("link.paid", at, paid, paid_by, named)


@tells("settlement.closed")
def the_sandbox_closes_a_day(world: World) -> None:
    at = prepare(world)
    figures = world.post("/sandbox/settlement", {})
    del figures["eventId"]
    assert (figures["date"], figures["collected"], figures["closedAt"]) == ("2026-03-02", 0, at)
    world.expect("settlement.closed", at, figures)
