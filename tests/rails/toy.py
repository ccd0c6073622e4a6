"""The toy rail of docs/recipes/rail.md: bank transfers over JSON and HTTP, and nothing else.

A real rail is a package `payments/providers/<code>/`; its fake server stays in `tests/rails/`.
"""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from payments.core import clock, ids, money
from payments.providers import http
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import (
    ZERO,
    Bank,
    Callback,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    Flow,
    InvalidCallback,
    Known,
    PayerNeeds,
    ProviderRefused,
    ProviderTimeout,
    Rail,
    Reason,
    Term,
    parse_amount,
)
from tests.simulator.conftest import charge

CODE = "toy"
SECRET = b"toy-secret"
SIGNATURE_HEADER = "X-Toy-Signature"
STATUSES = {"open": ChargeStatus.PENDING, "paid": ChargeStatus.SUCCEEDED}


class ToyPayin:
    """Implements PayinPort."""

    code: ClassVar[str] = CODE
    address = ("127.0.0.1", 0)  # a real rail reads it from its account
    timeout_seconds = 1.0

    def banks(self) -> tuple[Bank, ...]:
        return ()

    def terms(self) -> tuple[Term, ...]:
        return ()

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        return ()

    def start(self, request: ChargeRequest, timeout: float) -> ChargeStarted:
        sent = {"amount": money.text(request.amount), "until": request.expires_at.isoformat()}
        answer = self._call("PUT", request.reference, timeout, sent)
        if answer.status == 422:
            raise ProviderRefused(Reason.INVALID_REQUEST, str(answer.body))
        with unreadable_is_doubtful():
            return _started(answer.body)

    def query(self, known: Known) -> ChargeUpdate:
        answer = self._call("GET", known.reference, self.timeout_seconds)
        if answer.status == 404:
            return ChargeUpdate(
                reference=known.reference,
                provider_id="",
                status=ChargeStatus.UNKNOWN,
                received=ZERO,
                currency="",
                occurred_at=clock.now(),
            )
        with unreadable_is_doubtful():
            return _update(answer.body)

    def read_callback(self, callback: Callback, now: datetime) -> ChargeUpdate:
        signature = callback.header(SIGNATURE_HEADER).encode("utf-8", "replace")
        if not hmac.compare_digest(sign(callback.body).encode(), signature):
            raise InvalidCallback("signature does not match")
        try:
            return _update(json.loads(callback.body))
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidCallback("body makes no sense") from error

    def _call(self, verb: str, reference: str, timeout: float, sent: Any = None) -> http.RailAnswer:
        host, port = self.address
        return http.call(
            http.RailCall(
                method=verb,
                url=f"http://{host}:{port}/charges/{reference}",
                operation="toy.charge",
                reference=reference,
                json=sent,
                timeout=timeout,
            )
        )


@contextmanager
def unreadable_is_doubtful() -> Iterator[None]:
    """A success in another shape than the documents say is no refusal."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise ProviderTimeout("the response has another shape") from error


def sign(body: bytes) -> str:
    return hmac.new(SECRET, body, hashlib.sha256).hexdigest()


def _started(found: dict[str, str]) -> ChargeStarted:
    return ChargeStarted(
        provider_id=found["id"],
        flow=Flow.INSTRUCTIONS,
        instructions={
            "bank": "Toy Bank",
            "accountType": "SAVINGS",
            "accountNumber": found["account"],
            "holder": "Pasarela",
            "document": "900123456-8",
            "reference": found["reference"],
        },
        expires_at=datetime.fromisoformat(found["until"]),
    )


def _update(found: dict[str, str]) -> ChargeUpdate:
    return ChargeUpdate(
        reference=found["reference"],
        provider_id=found["id"],
        status=STATUSES[found["status"]],
        received=parse_amount(found["received"]),
        currency="COP",
        occurred_at=datetime.fromisoformat(found["changed"]),
    )


RAIL = RailDeclaration(
    code=CODE,
    payin=ToyPayin(),
    payer_needs={Rail.BANK_TRANSFER: PayerNeeds()},
    refunds=Refunds.PAYOUT,
    idempotency_window=timedelta(days=7),
    reference_pattern=r"[A-Za-z0-9_]{1,40}",
)


class FakeServer:
    """Toy Bank itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.charges: dict[str, dict[str, str]] = {}
        self.is_losing = self.is_garbling = False
        self.delay_seconds = 0.0
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = fake.charges.get(self.path.rpartition("/")[2])
                self._answer(*((200, found) if found else (404, {})))

            def do_PUT(self) -> None:
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._answer(*fake.start(self.path.rpartition("/")[2], sent))

            def _answer(self, status: int, found: dict[str, str]) -> None:
                time.sleep(fake.delay_seconds)
                if fake.is_losing:
                    return  # the connection is closed without a word
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps({} if fake.is_garbling else found).encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()
        monkeypatch.setattr(ToyPayin, "address", self.server.server_address)
        self.monkeypatch = monkeypatch

    def start(self, reference: str, sent: dict[str, str]) -> tuple[int, dict[str, str]]:
        """One reference is one charge."""
        if float(sent["amount"]) <= 0:
            return 422, {"error": "There is nothing to pay."}
        account = str(9_000_000 + len(self.charges))
        opened = {
            "reference": reference,
            "id": f"toy-{account}",
            "account": account,
            "status": "open",
            "received": "0",
            "changed": datetime.now(UTC).isoformat(),
        }
        return 200, self.charges.setdefault(reference, {**opened, **sent})

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @contextmanager
    def away(self):
        with self.monkeypatch.context() as patch:
            patch.setattr(ToyPayin, "address", ("127.0.0.1", 1))  # nothing listens there
            yield

    @contextmanager
    def losing_answers(self):
        self.is_losing = True
        yield
        self.is_losing = False

    @contextmanager
    def garbling_answers(self):
        self.is_garbling = True
        yield
        self.is_garbling = False

    @contextmanager
    def slow_answers(self, seconds: float):
        self.delay_seconds = seconds
        yield
        self.delay_seconds = 0.0

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        return replace(charge(method), **{"reference": ids.new_id("chg"), **changes})

    def pay(self, reference: str) -> Callback:
        found = self.charges[reference]
        found |= {"status": "paid", "received": found["amount"]}
        body = json.dumps(found).encode()
        return Callback({SIGNATURE_HEADER: sign(body)}, body)
