"""The life of a payout and of its transactions, and their events.

The event of a transaction carries no reference of ours, only `payoutId` and its own id [S].
"""

import time
import uuid
from typing import Any

from tests.rails.fake_server.agenda import Agenda
from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.events import Outbox, Signer
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store, Table
from tests.rails.wompi_payouts.company import BANKS_BY_ID, Company

FINAL = {"APPROVED", "FAILED", "REJECTED", "CANCELLED"}
PENDING = {"PENDING", "PROCESSING", "READY_TO_FILE", "ADDED_TO_FILE"}
BATCH_FINAL = {"TOTAL_PAYMENT", "PARTIAL_PAYMENT", "REJECTED", "NOT_APPROVED", "AFE_REJECTED"}
BATCH_PENDING = {"PENDING", "PENDING_APPROVAL", "AFE_ON_HOLD"}
PROPERTIES = {
    "transaction": ["transaction.id", "transaction.status", "transaction.amountInCents"],
    "payout": ["payout.id", "payout.status", "payout.amountInCents"],
}
VAT_PERCENTAGE = 19


class Payouts:
    def __init__(
        self, store: Store, settings: Settings, clock: Clock, company: Company, agenda: Agenda
    ) -> None:
        self.rows = store.table("payout")
        self.lines = store.table("payout_transaction")
        self._settings = settings
        self._clock = clock
        self._company = company
        self._agenda = agenda

    def connect(self, signer: Signer, outbox: Outbox) -> None:
        self._signer = signer
        self._outbox = outbox

    def create(self, body: Document, version: int, wait_seconds: float) -> str:
        """Takes the money, or raises the refusal. `wait_seconds` until the day of dispersion."""
        fees = [self._fee(line["amount"]) for line in body["transactions"]]
        amount = sum(line["amount"] for line in body["transactions"])
        self._company.spend(amount, amount + sum(fee["totalInCents"] for fee in fees))
        number = f"payout-{len(self.rows) + 1}"
        status = "PENDING_APPROVAL" if self._settings["approval"] else "PENDING"
        wire = {
            "id": number,
            "reference": body["reference"],
            "amountInCents": amount,
            "paymentType": body["paymentType"],
            "status": status,
            "totalTransactions": len(fees),
            "currency": "COP",
            "accountId": body["accountId"],
            "createdAt": self._clock.iso(),
        }
        known = {"version": version, "wait": wait_seconds, "made_at": time.time()}
        self.rows.save(number, {"wire": wire, "asked": 0} | known)
        for line, fee in zip(body["transactions"], fees, strict=True):
            self._add_line(number, line, fee)
        if status == "PENDING":
            self._schedule(number, wait_seconds)
        return number

    def _fee(self, amount: int) -> Document:
        fee = int(self._settings["fee_in_cents"])
        vat = fee * VAT_PERCENTAGE // 100
        gmf = (amount * 4) // 1000 if fee else 0
        return {
            "feeInCents": fee,
            "vatPercentage": VAT_PERCENTAGE,
            "gmfInCents": gmf,
            "vatInCents": vat,
            "totalInCents": fee + vat + gmf,
        }

    def _add_line(self, payout: str, line: Document, fee: Document) -> None:
        number = str(uuid.uuid4())
        bank = BANKS_BY_ID.get(line.get("bankId", ""), {"name": None})["name"]
        payee = {"name": line["name"], "bank": bank, "accountNumber": line.get("accountNumber")}
        wire = {
            "id": number,
            "status": "PENDING",
            "amountInCents": line["amount"],
            "payeeInfo": payee | ({"key": line["key"]} if "key" in line else {}),
            "fee": fee,
            "reference": line.get("reference"),
            "failureReason": None,
            "appliedAt": None,
        }
        outcome = line.get("transactionStatus", self._settings["outcome"])
        known = {"payoutId": payout, "outcome": outcome, "made_at": time.time()}
        self.lines.save(number, {"wire": wire, "asked": 0, "returned": False} | known)

    def _schedule(self, payout: str, wait_seconds: float) -> None:
        settle = self._settings["settle_seconds"]
        if settle is not None:
            self._agenda.add(wait_seconds + settle / 2, "process", payout)
            self._agenda.add(wait_seconds + settle, "settle", payout)

    def perform(self, action: str, payout: str) -> list[str]:
        """Returns the deliveries of the events."""
        if action == "process":
            for number in self.lines_of(payout):
                self.set_status(number, "PROCESSING")
            return []
        deliveries = []
        for number in self.lines_of(payout):
            outcome = self.lines[number]["outcome"]
            deliveries += self.finish(number, outcome) if outcome else []
        return deliveries

    def approve(self, payout: str) -> None:
        """A person of the company approved the batch."""
        row = self.rows[payout]
        if row["wire"]["status"] == "PENDING_APPROVAL":
            self.rows.save(payout, row | {"wire": row["wire"] | {"status": "PENDING"}})
            self._schedule(payout, row["wait"])

    def refuse(self, payout: str, status: str) -> list[str]:
        """NOT_APPROVED, REJECTED or AFE_REJECTED: no line of it is paid."""
        deliveries = []
        for number in self.lines_of(payout):
            deliveries += self.finish(number, "CANCELLED", is_alone=True)
        return deliveries + self._set_batch(payout, status)

    def set_status(self, number: str, status: str) -> None:
        row = self.lines[number]
        if row["wire"]["status"] not in FINAL:
            self.lines.save(number, row | {"wire": row["wire"] | {"status": status}})

    def finish(
        self, number: str, status: str, reason: Any = None, *, is_alone: bool = False
    ) -> list[str]:
        """`is_alone`: the batch's own status is set by the caller."""
        row = self.lines[number]
        if row["wire"]["status"] in FINAL:
            return []
        reason = reason or (self._settings["failure"] if status != "APPROVED" else None)
        wire = row["wire"] | {
            "status": status,
            "failureReason": reason["message"] if reason else None,
            "appliedAt": self._clock.iso() if status == "APPROVED" else None,
        }
        self.lines.save(number, row | {"wire": wire})
        if status != "APPROVED":
            self._company.credit(wire["amountInCents"] + wire["fee"]["totalInCents"])
        deliveries = self._send_transaction(row["payoutId"], wire, reason)
        return deliveries + ([] if is_alone else self._close_batch(row["payoutId"]))

    def _close_batch(self, payout: str) -> list[str]:
        statuses = [self.lines[number]["wire"]["status"] for number in self.lines_of(payout)]
        if not FINAL.issuperset(statuses):
            return []
        if "APPROVED" not in statuses:
            return self._set_batch(payout, self._settings["failed_batch_status"])
        is_total = set(statuses) == {"APPROVED"}
        return self._set_batch(payout, "TOTAL_PAYMENT" if is_total else "PARTIAL_PAYMENT")

    def _set_batch(self, payout: str, status: str) -> list[str]:
        row = self.rows[payout]
        wire = row["wire"] | {"status": status}
        self.rows.save(payout, row | {"wire": wire})
        names = ("id", "reference", "amountInCents", "paymentType", "status")
        data = {name: wire[name] for name in (*names, "totalTransactions", "currency")}
        return self.send_event("payout.updated", {"payout": data})

    def give_back(self, number: str) -> None:
        """A return after completion: no event and no new status, only balance and report [S]."""
        row = self.lines[number]
        self.lines.save(number, row | {"returned": True})
        self._company.credit(row["wire"]["amountInCents"])

    def _send_transaction(self, payout: str, wire: Document, reason: Any) -> list[str]:
        amount = self._settings["event_amount_in_cents"]
        payee = {name: wire["payeeInfo"][name] for name in ("name", "bank", "accountNumber")}
        event = {
            "id": wire["id"],
            "payoutId": payout,
            "amountInCents": wire["amountInCents"] if amount is None else amount,
            "status": wire["status"],
            "payee": payee,
            "failureReason": reason,
            "currency": "COP",
        }
        return self.send_event("transaction.updated", {"transaction": event})

    def send_event(self, name: str, data: Document) -> list[str]:
        """No `environment` field [S]: one of the other environment has the other's secret."""
        if name in self._settings["events_left_out"]:
            return []
        own = self._settings["environment"]
        is_own = self._settings["event_environment"] == "own"
        message = {
            "event": name,
            "data": data,
            "timestamp": int(self._clock.seconds() * 1000),
            "sentAt": self._clock.iso(),
        }
        secret = self._company.secret(own if is_own else {"test": "prod", "prod": "test"}[own])
        properties = PROPERTIES.get(next(iter(data), ""), [])
        return self._outbox.publish(self._signer.sign(message, properties, secret))

    def lines_of(self, payout: str) -> list[str]:
        return [number for number in self.lines if self.lines[number]["payoutId"] == payout]

    def searchable(self, rows: Table) -> list[str]:
        """What lists show; `search_lag_seconds` keeps the newest out."""
        newest = time.time() - float(self._settings["search_lag_seconds"])
        return [number for number in rows if rows[number]["made_at"] <= newest]

    def find_payout(self, name: str) -> str | None:
        """By id, or by the batch's reference: the last of them."""
        if name in self.rows:
            return name
        found = [key for key in self.rows if self.rows[key]["wire"]["reference"] == name]
        return found[-1] if found else None

    def find_line(self, name: str) -> str | None:
        """By id, or by the line's reference: the last of them."""
        if name in self.lines:
            return name
        found = [key for key in self.lines if self.lines[key]["wire"]["reference"] == name]
        return found[-1] if found else None
