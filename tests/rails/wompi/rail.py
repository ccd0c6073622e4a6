"""The HTTP interface of the fake, and its settings."""

from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from tests.rails.fake_server.control import done, wrong
from tests.rails.fake_server.rail import FakeRail, read_json
from tests.rails.fake_server.store import Document
from tests.rails.wompi import errors, listing
from tests.rails.wompi.acceptance import Acceptance
from tests.rails.wompi.bank_page import BankPage
from tests.rails.wompi.creation import Creation
from tests.rails.wompi.merchant import Merchant
from tests.rails.wompi.transactions import FINAL, Transactions


class WompiRail(FakeRail):
    name = "wompi"
    # What each means is in the docstring of the package.
    defaults: ClassVar[dict[str, Any]] = {
        "environment": "test",
        "public_key": None,
        "private_key": None,
        "integrity_secret": None,
        "events_secret": None,
        "merchant_id": 1292,
        "acceptance_seconds": 3600,
        "refusal_spends_acceptance": True,
        "error_shape": "documented",
        "pse_description_max": 30,
        "pse_minimum_cents": 150000,
        "bank_placeholder": False,
        "url_delay_seconds": 1.0,
        "nequi_delay_seconds": 1.0,
        "pse_resolution": "with_url",
        "qr_resolution": "with_image",
        "nequi_other_number": "ERROR",
        "outcome": None,
        "refusal_has_url": False,
        "status_messages": {
            "DECLINED": "La transacción fue rechazada por el banco",
            "ERROR": "Error interno del procesador",
        },
        "cus_field": "traceability_code",
        "pending_seconds": None,
        "pending_ends_as": "DECLINED",
        "expiration_ends_as": None,
        "return_env": True,
    }
    variants: ClassVar[dict[str, tuple[Any, ...]]] = {
        "environment": ("test", "prod"),
        "error_shape": ("documented", "reason", "messages"),
        "pse_description_max": (30, 64),
        "pse_resolution": ("with_url", "payer"),
        "qr_resolution": ("with_image", "payer"),
        "nequi_other_number": ("ERROR", "APPROVED", "DECLINED", None),
        "outcome": (None, "APPROVED", "DECLINED", "ERROR"),
        "cus_field": ("traceability_code", "external_identifier", None),
        "pending_ends_as": ("APPROVED", "DECLINED", "ERROR"),
        "expiration_ends_as": (None, "DECLINED", "ERROR"),
    }
    inspected = ("transaction", "reference", "acceptance_token")

    def __init__(self, state_file: Path | None = None, **settings: Any) -> None:
        super().__init__(state_file, **settings)
        self.merchant = Merchant(self.settings, self.clock, self.complain)
        self.acceptance = Acceptance(self.store, self.settings, self.clock)
        self.creation = Creation(self.merchant, self.acceptance)
        self.transactions = Transactions(
            self.store, self.merchant, self.agenda, self.signer, self.outbox, lambda: self.base_url
        )

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/merchants/{public_key}", self.find_merchant),
            web.get("/v1/pse/financial_institutions", self.list_banks),
            web.post("/v1/transactions", self.create),
            web.get("/v1/transactions", self.search),
            web.get("/v1/transactions/{id}", self.get),
            web.post("/v1/transactions/{id}/void", self.void),
            web.post("/_control/transactions/{id}", self.settle),
            web.post("/_control/transactions/{id}/copy", self.copy),
            *BankPage(self.transactions, self.merchant).routes(),
        ]

    async def find_merchant(self, request: web.Request) -> web.Response:
        data = self.merchant.find(request.match_info["public_key"], self.acceptance)
        return web.json_response({"data": data, "meta": {}})

    async def list_banks(self, request: web.Request) -> web.Response:
        self.merchant.authorize(request, "pub")
        return web.json_response({"data": self.merchant.banks(), "meta": {}})

    async def create(self, request: web.Request) -> web.Response:
        self.merchant.authorize(request, "pub")
        given = await read_json(request)
        body = self.creation.validate(given, self.transactions.references)
        created = self.transactions.create(body)
        answer = web.json_response({"data": created, "meta": {}}, status=201)
        if self.settings["event_before_answer"]:
            await self._resolve_now(created["id"])
        return answer

    async def _resolve_now(self, number: str) -> None:
        deliveries = self.transactions.publish(number)
        deliveries = deliveries or self.transactions.finish(number, "APPROVED")
        for delivery in deliveries:
            await self.outbox.deliver(delivery)

    async def get(self, request: web.Request) -> web.Response:
        self.merchant.authorize(request, "pub")
        number = request.match_info["id"]
        if number not in self.transactions.rows:
            raise errors.not_found()
        self.transactions.count_question(number)
        return web.json_response({"data": self.transactions.rows[number]["wire"], "meta": {}})

    async def search(self, request: web.Request) -> web.Response:
        self.merchant.authorize(request, "prv")
        if unknown := listing.unknown_parameters(request.query):
            self.complain(f"GET /transactions: unknown parameters {unknown}")
        answer = listing.list_transactions(request.query, self.transactions.searchable())
        for wire in answer["data"]:
            self.transactions.count_question(wire["id"])
        return web.json_response(answer)

    async def void(self, request: web.Request) -> web.Response:
        """Cards of the same day only [S], and this fake has no cards."""
        self.merchant.authorize(request, "prv")
        raise errors.invalid(
            {"transaction": ["Solo se anulan transacciones con tarjeta"]}, "void of no card"
        )

    async def settle(self, request: web.Request) -> web.Response:
        """Control: {"status", "status_message"}, by id or reference."""
        number = self.transactions.find(request.match_info["id"])
        body = await read_json(request)
        if number is None or body["status"] not in FINAL:
            return wrong("no such transaction, or not a final status")
        self.transactions.finish(number, body["status"], body.get("status_message"))
        return done()

    async def copy(self, request: web.Request) -> web.Response:
        """Control: {"status"}: another transaction with the same reference."""
        number = self.transactions.find(request.match_info["id"])
        if number is None:
            return wrong("no such transaction")
        other = self.transactions.copy(number, (await read_json(request))["status"])
        return web.json_response({"id": other})

    async def perform(self, action: str, subject: str) -> None:
        self.transactions.perform(action, subject)

    def publish_custom(self, event: str, data: Document) -> list[str]:
        return self.transactions.send_event(event, data)

    def conflict_body(self, request: web.Request) -> Document:
        return errors.reason_body("CONFLICT", "La solicitud está en curso")

    def not_found_body(self) -> Document:
        return errors.not_found().body
