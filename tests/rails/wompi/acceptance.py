"""The two acceptance tokens of GET /merchants: JWTs that expire [S] and are single use [M]."""

import base64
import hashlib
import hmac
import json
import re
import secrets
from typing import Any

from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store
from tests.rails.wompi import errors

# The field of POST /transactions that carries a token of each type.
KINDS = {"acceptance_token": "END_USER_POLICY", "accept_personal_auth": "PERSONAL_DATA_AUTH"}
JWT = re.compile(r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+")


class Acceptance:
    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        self._tokens = store.table("acceptance_token")
        self._settings = settings
        self._clock = clock

    def issue(self, kind: str) -> Document:
        """A fresh one for each GET."""
        permalink = f"https://wompi.example/assets/{kind.lower()}.pdf"
        expires = self._clock.seconds() + float(self._settings["acceptance_seconds"])
        claims = {"permalink": permalink, "jti": secrets.token_hex(8), "exp": int(expires)}
        token = _jwt(claims)
        self._tokens.save(token, {"type": kind, "expires": expires, "is_used": False})
        return {"acceptance_token": token, "permalink": permalink, "type": kind}

    def check_format(self, body: Document) -> None:
        for field in KINDS:
            if not isinstance(body.get(field), str) or not JWT.fullmatch(body[field]):
                problem = "es requerido" if field not in body else "formato inválido"
                raise errors.invalid({field: [problem]}, f"{field} {problem}")

    def check_state(self, body: Document) -> None:
        for field, kind in KINDS.items():
            problem = self._problem(self._tokens.get(body[field]), kind)
            if problem:
                raise errors.measured(field, problem, self._settings["error_shape"])

    def _problem(self, token: Any, kind: str) -> str | None:
        if token is None or token["type"] != kind:
            return errors.ACCEPTANCE_FOREIGN
        if token["is_used"]:
            return errors.ACCEPTANCE_USED
        is_expired = self._clock.seconds() > token["expires"]
        return errors.ACCEPTANCE_EXPIRED if is_expired else None

    def spend(self, body: Document) -> None:
        for field in KINDS:
            token = self._tokens[body[field]]
            self._tokens.save(body[field], token | {"is_used": True})


def _jwt(claims: Document) -> str:
    """The signature is of a key of this fake; clients must not look inside."""
    head = _segment(json.dumps({"alg": "HS256"}).encode())
    signed = f"{head}.{_segment(json.dumps(claims).encode())}"
    return f"{signed}.{_segment(hmac.digest(b'fake', signed.encode(), hashlib.sha256))}"


def _segment(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
