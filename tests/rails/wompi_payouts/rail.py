"""The settings of the fake, and the endpoints that change something."""

from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from tests.rails.fake_server.control import done, wrong
from tests.rails.fake_server.rail import FakeRail, read_json
from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.store import Document
from tests.rails.wompi_payouts import errors
from tests.rails.wompi_payouts.bre_b import Keys
from tests.rails.wompi_payouts.company import ACCOUNT_ID, Company
from tests.rails.wompi_payouts.creation import BatchCheck, IdempotencyKeys
from tests.rails.wompi_payouts.envelope import envelope
from tests.rails.wompi_payouts.payouts import BATCH_FINAL, FINAL, PENDING, Payouts
from tests.rails.wompi_payouts.queries import Queries


class WompiPayoutsRail(FakeRail):
    name = "wompi_payouts"
    # What each means is in the docstring of the package.
    defaults: ClassVar[dict[str, Any]] = {
        "environment": "test",
        "api_key": None,
        "principal_id": None,
        "events_secret": None,
        "balance_in_cents": 100_000_000_000,
        "daily_limit_in_cents": 150_000_000_000,
        "daily_batches": 3800,
        "fee_in_cents": 0,
        "idempotency_seconds": 86400,
        "refusal_spends_key": True,
        "get_envelope": "mixed",
        "settle_seconds": 1.0,
        "outcome": "APPROVED",
        "failure": {"code": "C01", "message": "La cuenta no existe o está inactiva"},
        "approval": False,
        "failed_batch_status": "REJECTED",
        "bad_key_at_send": "refuse",
        "extra_keys": {},
        "legal_person": "JURIDICA",
        "by_reference": "page",
        "unknown_reference": "empty",
        "versions_apart": False,
        "health": "HEALTHY",
        "events_left_out": [],
    }
    variants: ClassVar[dict[str, tuple[Any, ...]]] = {
        "environment": ("test", "prod"),
        "get_envelope": ("mixed", "always", "never"),
        "outcome": ("APPROVED", "FAILED", None),
        "failed_batch_status": ("REJECTED", "PARTIAL_PAYMENT"),
        "bad_key_at_send": ("refuse", "fail", "count"),
        "legal_person": ("JURIDICA", "LEGAL"),
        "by_reference": ("page", "list", "one"),
        "unknown_reference": ("empty", "not_found"),
        "health": ("HEALTHY", "PARTIAL_OUTAGE", "UNHEALTHY"),
    }
    inspected = ("payout", "payout_transaction", "idempotency_key", "money", "day")

    def __init__(self, state_file: Path | None = None, **settings: Any) -> None:
        super().__init__(state_file, **settings)
        self.company = Company(self.store, self.settings, self.clock)
        self.keys = Keys(self.settings)
        self.idempotency = IdempotencyKeys(self.store, self.settings, self.clock)
        self.batch_check = BatchCheck(self.settings, self.company, self.complain)
        self.payouts = Payouts(self.store, self.settings, self.clock, self.company, self.agenda)
        self.payouts.connect(self.signer, self.outbox)
        self.queries = Queries(self.settings, self.company, self.keys, self.payouts, self.complain)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/payouts", self.create_v1),
            web.post("/v2/payouts", self.create_v2),
            web.post("/v1/accounts/balance-recharge", self.recharge),
            web.post("/_control/payouts/{name}", self.decide_payout),
            web.post("/_control/transactions/{name}", self.settle_line),
            web.post("/_control/transactions/{name}/return", self.return_line),
            *self.queries.routes(),
        ]

    async def create_v1(self, request: web.Request) -> web.Response:
        return await self._create(request, 1, errors.KEY_USED_BANK)

    async def create_v2(self, request: web.Request) -> web.Response:
        return await self._create(request, 2, errors.KEY_USED_BREB)

    async def _create(self, request: web.Request, version: int, used: errors.Code) -> web.Response:
        self.company.authorize(request)
        body = await read_json(request)
        key = self.idempotency.claim(request, used)
        try:
            number, failed = self._accept(body, version)
        except Refusal:
            self.idempotency.release(key)
            raise
        answer = web.json_response(created(number, body["transactions"], failed), status=201)
        if self.settings["event_before_answer"]:
            for delivery in self.payouts.perform("settle", number):
                await self.outbox.deliver(delivery)
        return answer

    def _accept(self, body: Any, version: int) -> tuple[str, int]:
        """The payout's id, and how many of its lines failed at once."""
        body = self.batch_check.validate(body, version)
        bad = [line["key"] for line in body["transactions"] if self._is_bad(line)]
        if bad and self.settings["bad_key_at_send"] == "refuse":
            self.keys.holder_of(bad[0])
        number = self.payouts.create(body, version, self._seconds_until(body))
        lines = zip(self.payouts.lines_of(number), body["transactions"], strict=True)
        bad_lines = [line for line, given in lines if given.get("key") in bad]
        return number, self._fail(bad_lines) if bad_lines else 0

    def _is_bad(self, line: Document) -> bool:
        return "key" in line and self.keys.problem(line["key"]) is not None

    def _fail(self, numbers: list[str]) -> int:
        """At once and counted, or later as any failure: which is not documented [?]."""
        if self.settings["bad_key_at_send"] == "count":
            for number in numbers:
                self.payouts.finish(number, "FAILED")
            return len(numbers)
        for number in numbers:
            row = self.payouts.lines[number]
            self.payouts.lines.save(number, row | {"outcome": "FAILED"})
        return 0

    def _seconds_until(self, body: Document) -> float:
        if "dispersionDatetime" not in body:
            return 0
        return self.batch_check.moment_of(body).timestamp() - self.clock.seconds()

    async def recharge(self, request: web.Request) -> web.Response:
        """POST {accountId, amountInCents}: sandbox only [S]."""
        self.company.authorize(request)
        if self.settings["environment"] != "test":
            raise errors.refuse(errors.NOT_FOUND, complaint="balance-recharge is of the sandbox")
        body = await read_json(request)
        self.idempotency.claim(request, errors.KEY_USED_BANK)
        if not isinstance(body, dict) or set(body) != {"accountId", "amountInCents"}:
            raise errors.invalid("a recharge has accountId and amountInCents")
        amount = body["amountInCents"]
        if body["accountId"] != ACCOUNT_ID or type(amount) is not int or amount < 1:
            raise errors.invalid("a recharge is of our account and a positive integer")
        self.company.credit(amount)
        return web.json_response(
            envelope({"balanceInCents": self.company.balance}, 201), status=201
        )

    async def decide_payout(self, request: web.Request) -> web.Response:
        """Control: {"status": "APPROVE"} or one that ends the batch, by id or reference."""
        number = self.payouts.find_payout(request.match_info["name"])
        status = (await read_json(request))["status"]
        if number is None or status not in {"APPROVE", *BATCH_FINAL}:
            return wrong("no such payout, or not a decision")
        if status == "APPROVE":
            self.payouts.approve(number)
        else:
            self.payouts.refuse(number, status)
        return done()

    async def settle_line(self, request: web.Request) -> web.Response:
        """Control: {"status", "failureReason": {"code", "message"}}, by id or reference."""
        number = self.payouts.find_line(request.match_info["name"])
        body = await read_json(request)
        if number is None or body["status"] not in FINAL | PENDING:
            return wrong("no such transaction, or no such status")
        if body["status"] in FINAL:
            self.payouts.finish(number, body["status"], body.get("failureReason"))
        else:
            self.payouts.set_status(number, body["status"])
        return done()

    async def return_line(self, request: web.Request) -> web.Response:
        """Control: the money of a completed transaction comes back."""
        number = self.payouts.find_line(request.match_info["name"])
        if number is None or self.payouts.lines[number]["wire"]["status"] != "APPROVED":
            return wrong("no such transaction, or not completed")
        self.payouts.give_back(number)
        return done()

    def state(self) -> Document:
        """Beside the tables: how much was paid by line reference, to find a double payment."""
        paid: dict[str, int] = {}
        for row in self.payouts.lines.values():
            if row["wire"]["status"] == "APPROVED":
                reference = str(row["wire"]["reference"])
                paid[reference] = paid.get(reference, 0) + row["wire"]["amountInCents"]
        return super().state() | {"paid_in_cents": paid, "balance_in_cents": self.company.balance}

    async def perform(self, action: str, subject: str) -> None:
        self.payouts.perform(action, subject)

    def publish_custom(self, event: str, data: Document) -> list[str]:
        return self.payouts.send_event(event, data)

    def conflict_body(self, request: web.Request) -> Document:
        is_v2 = request.path.startswith("/v2/")
        return errors.body_of(errors.KEY_USED_BREB if is_v2 else errors.KEY_USED_BANK)

    def not_found_body(self) -> Document:
        return errors.body_of(errors.NOT_FOUND)


def created(number: str, lines: list[Document], failed: int) -> Document:
    total = len(lines)
    data = {"payoutId": number, "transactions": total, "success": total - failed, "failed": failed}
    return envelope(data, 201)
