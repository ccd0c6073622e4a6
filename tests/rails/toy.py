"""The toy rail of docs/recipes/rail.md: bank transfers over JSON and HTTP, and nothing else.

A real rail is a package `payments/providers/<code>/`; its fake server stays in `tests/rails/`.
"""

import hashlib
import hmac
import http.client
import json
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from payments.core import clock, ids, money
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import (
    ZERO,
    Bank,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    Flow,
    InvalidCallback,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Reason,
    parse_amount,
)
from tests.rails import Callback
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

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        return ()

    def start(self, request: ChargeRequest) -> ChargeStarted:
        sent = {"amount": money.text(request.amount), "until": request.expires_at.isoformat()}
        status, found = self._call("PUT", request.reference, sent)
        if status == 422:
            raise ProviderRefused(Reason.INVALID_REQUEST, found["error"])
        return ChargeStarted(
            provider_id=found["id"],
            flow=Flow.INSTRUCTIONS,
            instructions={"bank": "Toy Bank", "accountNumber": found["account"]},
            expires_at=datetime.fromisoformat(found["until"]),
        )

    def query(self, reference: str) -> ChargeUpdate:
        status, found = self._call("GET", reference)
        if status == 404:
            return ChargeUpdate(
                reference=reference,
                provider_id="",
                status=ChargeStatus.UNKNOWN,
                received=ZERO,
                currency="",
                occurred_at=clock.now(),
            )
        return _update(found)

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> ChargeUpdate:
        lowered = {name.lower(): value for name, value in headers.items()}
        signature = lowered.get(SIGNATURE_HEADER.lower(), "")
        if not hmac.compare_digest(sign(body).encode(), signature.encode("utf-8", "replace")):
            raise InvalidCallback("signature does not match")
        try:
            return _update(json.loads(body))
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidCallback("body makes no sense") from error

    def _call(self, verb: str, reference: str, sent: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(*self.address, timeout=self.timeout_seconds)
        try:
            connection.connect()
        except OSError as error:
            raise ProviderUnreachable(str(error)) from error  # nothing was sent
        try:
            connection.request(verb, f"/charges/{reference}", json.dumps(sent))
            answer = connection.getresponse()
            found = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ProviderTimeout(str(error)) from error  # it may have been carried out
        finally:
            connection.close()
        if answer.status >= 500:
            raise ProviderTimeout(f"HTTP {answer.status}")
        return answer.status, found


def sign(body: bytes) -> str:
    return hmac.new(SECRET, body, hashlib.sha256).hexdigest()


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
    payer_fields={Rail.BANK_TRANSFER: []},
    refunds=Refunds.PAYOUT,
    idempotency_window=timedelta(days=7),
    reference_pattern=r"[A-Za-z0-9_]{1,40}",
)


class FakeServer:
    """Toy Bank itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.charges: dict[str, dict[str, str]] = {}
        self.is_losing = False
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = fake.charges.get(self.path.rpartition("/")[2])
                self._answer(*((200, found) if found else (404, {})))

            def do_PUT(self) -> None:
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._answer(*fake.start(self.path.rpartition("/")[2], sent))

            def _answer(self, status: int, found: dict[str, str]) -> None:
                if fake.is_losing:
                    return  # the connection is closed without a word
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(found).encode())

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

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        return replace(charge(method), **{"reference": ids.new_id("chg"), **changes})

    def pay(self, reference: str) -> Callback:
        found = self.charges[reference]
        found |= {"status": "paid", "received": found["amount"]}
        body = json.dumps(found).encode()
        return Callback({SIGNATURE_HEADER: sign(body)}, body)
