"""The merchant, its keys and the banks that it sees, in the environment that the fake plays."""

from collections.abc import Callable

from aiohttp import web

from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document
from tests.rails.wompi import errors, methods
from tests.rails.wompi.acceptance import Acceptance

PLACEHOLDER = ("0", "A continuación seleccione su banco")
SANDBOX_BANKS = [("1", "Banco que aprueba"), ("2", "Banco que declina"), ("3", "Banco con error")]
LIVE_BANKS = [("1007", "BANCOLOMBIA"), ("1001", "BANCO DE BOGOTA"), ("1051", "BANCO DAVIVIENDA")]


class Merchant:
    def __init__(self, settings: Settings, clock: Clock, complain: Callable[[str], None]) -> None:
        self.settings = settings
        self.clock = clock
        self.complain = complain

    @property
    def environment(self) -> str:
        return str(self.settings["environment"])

    def key(self, kind: str) -> str:
        """`kind` is pub or prv."""
        name = {"pub": "public_key", "prv": "private_key"}[kind]
        return self.settings[name] or f"{kind}_{self.environment}_0123456789fakeFAKE"

    @property
    def integrity_secret(self) -> str:
        given = self.settings["integrity_secret"]
        return given or f"{self.environment}_integrity_0123456789fakeFAKE"

    @property
    def events_secret(self) -> str:
        return self.settings["events_secret"] or f"{self.environment}_events_0123456789fakeFAKE"

    def authorize(self, request: web.Request, kind: str) -> None:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer":
            raise errors.unauthorized("no `Authorization: Bearer` header")
        self._check_environment(key)
        if key != self.key(kind):
            raise errors.unauthorized(f"a {kind} key is needed; sent was {key[:9]}…")

    def _check_environment(self, key: str) -> None:
        """A key of the other environment → 401 [S]."""
        if f"_{self.environment}_" not in key:
            raise errors.unauthorized(f"a key of another environment: {key[:9]}…")

    def find(self, public_key: str, acceptance: Acceptance) -> Document:
        """GET /merchants/{public_key}: no credential, fresh tokens each time."""
        self._check_environment(public_key)
        if public_key != self.key("pub"):
            raise errors.not_found()
        return self.summary() | {
            "legal_id": "900123456",
            "legal_id_type": "NIT",
            "active": True,
            "public_key": public_key,
            "accepted_payment_methods": ["CARD", *methods.TYPES],
            "accepted_currencies": ["COP"],
            "presigned_acceptance": acceptance.issue("END_USER_POLICY"),
            "presigned_personal_data_auth": acceptance.issue("PERSONAL_DATA_AUTH"),
        }

    def summary(self) -> Document:
        number = self.settings["merchant_id"]
        return {"id": number, "name": "Mi Comercio", "legal_name": "Mi Comercio SAS"}

    def banks(self) -> list[Document]:
        """Production lists a placeholder; `bank_placeholder` puts it into the sandbox, too."""
        is_test = self.environment == "test"
        listed = SANDBOX_BANKS if is_test else LIVE_BANKS
        has_placeholder = not is_test or self.settings["bank_placeholder"]
        return [
            {"financial_institution_code": code, "financial_institution_name": name}
            for code, name in ([PLACEHOLDER] if has_placeholder else []) + listed
        ]

    def bank_codes(self) -> set[str]:
        return {bank["financial_institution_code"] for bank in self.banks()}
