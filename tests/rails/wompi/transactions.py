"""The life of a transaction: PENDING, the bank's URL late, a final status, its event.

A row holds `wire` (what a poll shows) beside what only the fake knows.
"""

import time
from collections.abc import Callable
from typing import Any

from tests.rails.fake_server.agenda import Agenda
from tests.rails.fake_server.events import Outbox, Signer
from tests.rails.fake_server.fields import parse_moment
from tests.rails.fake_server.store import Document, Store
from tests.rails.wompi import methods
from tests.rails.wompi.merchant import Merchant

FINAL = {"APPROVED", "DECLINED", "ERROR", "VOIDED"}
EVENT_PROPERTIES = ["transaction.id", "transaction.status", "transaction.amount_in_cents"]
# The event has these of the transaction and no others [S].
EVENT_FIELDS = (
    "id",
    "amount_in_cents",
    "reference",
    "customer_email",
    "currency",
    "payment_method_type",
    "redirect_url",
    "status",
    "shipping_address",
    "payment_link_id",
    "payment_source_id",
)


class Transactions:
    def __init__(
        self,
        store: Store,
        merchant: Merchant,
        agenda: Agenda,
        signer: Signer,
        outbox: Outbox,
        base_url: Callable[[], str],
    ) -> None:
        self.rows = store.table("transaction")
        self.references = store.table("reference")
        self._merchant = merchant
        self._settings = merchant.settings
        self._agenda = agenda
        self._signer = signer
        self._outbox = outbox
        self._base_url = base_url

    def create(self, body: Document) -> Document:
        """The answer of the POST; what follows is on the agenda."""
        number = self._new_id()
        method = dict(body["payment_method"])
        wire = self._wire(number, body, method)
        outcome = methods.planned_outcome(method, self._settings)
        row = {"wire": wire, "outcome": outcome, "asked": 0, "made_at": time.time()}
        self.rows.save(number, row)
        self.references.save(body["reference"], number)
        self._schedule(number, method["type"], body.get("expiration_time"))
        return wire

    def _new_id(self) -> str:
        """merchant-epoch-number [S]."""
        epoch = int(self._merchant.clock.seconds())
        return f"{self._settings['merchant_id']}-{epoch}-{10000 + len(self.rows)}"

    def _wire(self, number: str, body: Document, method: Document) -> Document:
        extra = {"is_three_ds": False, "three_ds_auth_type": None}
        return {
            "id": number,
            "created_at": self._merchant.clock.iso(),
            "finalized_at": None,
            "amount_in_cents": body["amount_in_cents"],
            "reference": body["reference"],
            "currency": body["currency"],
            "customer_email": body["customer_email"],
            "payment_method_type": method["type"],
            "payment_method": method | {"extra": extra},
            "status": "PENDING",
            "status_message": None,
            "redirect_url": body.get("redirect_url"),
            "payment_link_id": None,
            "payment_source_id": None,
            "merchant": self._merchant.summary(),
        }

    def _schedule(self, number: str, kind: str, expires: str | None) -> None:
        url_delay = self._settings["url_delay_seconds"]
        if kind == "NEQUI":
            self._agenda.add(self._settings["nequi_delay_seconds"], "publish", number)
        elif url_delay is not None:
            self._agenda.add(url_delay, "publish", number)
        if self._settings["pending_seconds"] is not None:
            self._agenda.add(self._settings["pending_seconds"], "end_pending", number)
        if expires and self._settings["expiration_ends_as"]:
            delay = parse_moment(expires) - self._merchant.clock.seconds()
            self._agenda.add(delay, "expire", number)

    def perform(self, action: str, number: str) -> None:
        if action == "publish":
            self.publish(number)
        elif action == "end_pending":
            self.finish(number, self._settings["pending_ends_as"])
        elif action == "expire":
            self.finish(number, self._settings["expiration_ends_as"])

    def publish(self, number: str) -> list[str]:
        """URL and a known outcome at the same instant [M]; a refusal has no URL."""
        row = self.rows[number]
        if row["wire"]["status"] in FINAL:
            return []
        outcome = row["outcome"]
        is_refused = outcome in {"DECLINED", "ERROR"}
        kind = row["wire"]["payment_method_type"]
        if not (is_refused and methods.has_page(kind)) or self._settings["refusal_has_url"]:
            self._add_extra(row, methods.late_extra(kind, f"{self._base_url()}/bank/{number}"))
        self.rows.save(number, row)
        return self.finish(number, outcome) if outcome else []

    def _add_extra(self, row: Document, extra: Document) -> None:
        row["wire"]["payment_method"]["extra"] |= extra

    def finish(self, number: str, status: str, message: str | None = None) -> list[str]:
        """Returns the event's deliveries. A final status stays, except for a card's void."""
        row = self.rows[number]
        wire = row["wire"]
        if wire["status"] in FINAL and status != "VOIDED":
            return []
        wire["status"] = status
        wire["status_message"] = message or self._settings["status_messages"].get(status)
        wire["finalized_at"] = self._merchant.clock.iso()
        if status == "APPROVED" and self._settings["cus_field"]:
            self._add_extra(row, {self._settings["cus_field"]: str(int(time.time() * 1000))})
        self.rows.save(number, row)
        return self._publish_event(wire)

    def copy(self, number: str, status: str) -> str:
        """Another transaction with the same reference: Wompi's own checkout makes such [S]."""
        row = self.rows[number]
        other = self._new_id()
        wire = row["wire"] | {"id": other, "status": "PENDING", "finalized_at": None}
        self.rows.save(other, row | {"wire": wire, "outcome": None, "asked": 0})
        self.finish(other, status)
        return other

    def _publish_event(self, wire: Document) -> list[str]:
        event = {field: wire.get(field) for field in EVENT_FIELDS}
        amount = self._settings["event_amount_in_cents"]
        if amount is not None:
            event["amount_in_cents"] = amount
        return self.send_event("transaction.updated", {"transaction": event})

    def send_event(self, name: str, data: Document) -> list[str]:
        own = self._merchant.environment
        is_own = self._settings["event_environment"] == "own"
        message: dict[str, Any] = {
            "event": name,
            "data": data,
            "environment": own if is_own else {"test": "prod", "prod": "test"}[own],
            "timestamp": int(self._merchant.clock.seconds()),
            "sent_at": self._merchant.clock.iso(),
        }
        properties = EVENT_PROPERTIES if "transaction" in data else []
        return self._outbox.publish(
            self._signer.sign(message, properties, self._merchant.events_secret)
        )

    def searchable(self) -> list[Document]:
        """What lists show; `search_lag_seconds` keeps the newest out."""
        newest = time.time() - float(self._settings["search_lag_seconds"])
        return [row["wire"] for row in self.rows.values() if row["made_at"] <= newest]

    def count_question(self, number: str) -> None:
        row = self.rows[number]
        self.rows.save(number, row | {"asked": row["asked"] + 1})

    def find(self, number_or_reference: str) -> str | None:
        """Our id of a transaction, by id or by the merchant's reference."""
        if number_or_reference in self.rows:
            return number_or_reference
        found = self.references.get(number_or_reference)
        return str(found) if found else None
