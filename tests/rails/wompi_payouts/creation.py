"""POST /v1/payouts and /v2/payouts: the idempotency key, then every field of the batch."""

import re
from datetime import datetime, timedelta
from typing import Any

from aiohttp import web

from tests.rails.fake_server import fields
from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.fields import Field
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store
from tests.rails.wompi_payouts import errors
from tests.rails.wompi_payouts.company import ACCOUNT_ID, BANKS_BY_ID, BOGOTA, Company

# Letters, digits, hyphen; 40 is documented for the line's reference, [?] for the batch's.
REFERENCE = fields.text(40, pattern=r"[A-Za-z0-9-]+")
LEGAL_ID_TYPES = ("CC", "NIT", "PP", "CE", "TI", "DNI")
BATCH = {
    "reference": Field(REFERENCE),
    "accountId": Field(fields.one_of([ACCOUNT_ID])),
    "paymentType": Field(fields.one_of(["PAYROLL", "PROVIDERS", "OTHER"])),
    "transactions": Field(fields.anything),
    "dispersionDatetime": Field(
        fields.text(16, pattern=r"\d{4}-\d\d-\d\dT\d\d:\d\d"), is_required=False
    ),
    "recurring": Field(fields.mapping, is_required=False),
}
RECURRING = {
    "interval": Field(fields.one_of(["biweek", "month"])),
    "months": Field(fields.one_of([3, 6, 12])),
    "description": Field(fields.text(255), is_required=False),
}
ANY_LINE = {
    "name": Field(fields.text(255)),
    "amount": Field(fields.integer(1, 10**15)),
    "reference": Field(REFERENCE, is_required=False),
    "transactionStatus": Field(fields.one_of(["APPROVED", "FAILED"]), is_required=False),
}
BANK_LINE = ANY_LINE | {
    "legalIdType": Field(fields.one_of(LEGAL_ID_TYPES)),
    "legalId": Field(fields.text(20, pattern=r"[A-Za-z0-9-]+")),
    "bankId": Field(fields.one_of(list(BANKS_BY_ID))),
    "accountType": Field(fields.one_of(["AHORROS", "CORRIENTE", "DEPOSITO_ELECTRONICO"])),
    "accountNumber": Field(fields.text(20, minimum=6, pattern=r"\d*[1-9]\d*")),
    "email": Field(fields.email, is_required=False),
    "description": Field(fields.text(255), is_required=False),
}
KEY_LINE = ANY_LINE | {
    "key": Field(fields.text(255)),
    "email": Field(fields.email),
    "legalIdType": Field(fields.one_of(LEGAL_ID_TYPES), is_required=False),
    "legalId": Field(fields.text(20, pattern=r"[A-Za-z0-9-]+"), is_required=False),
}


class IdempotencyKeys:
    """Kept 24 h; a reuse answers 409 and replays nothing [S]."""

    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        self._used = store.table("idempotency_key")
        self._settings = settings
        self._clock = clock

    def claim(self, request: web.Request, used: errors.Code) -> str:
        key = request.headers.get("idempotency-key", "")
        if not re.fullmatch(r"[A-Za-z0-9-]{1,64}", key):
            raise errors.invalid(f"idempotency-key has 1 to 64 of A-Z a-z 0 to 9 -, not {key!r}")
        now = self._clock.seconds()
        if now - self._used.get(key, float("-inf")) < self._settings["idempotency_seconds"]:
            raise errors.refuse(used)
        self._used.save(key, now)
        return key

    def release(self, key: str) -> None:
        """After a refusal, unless that has used the key, too [?]."""
        if not self._settings["refusal_spends_key"]:
            self._used.remove(key)


class BatchCheck:
    def __init__(self, settings: Settings, company: Company, complain: Any) -> None:
        self._settings = settings
        self._company = company
        self._complain = complain

    def validate(self, body: Any, version: int) -> Document:
        if not isinstance(body, dict):
            raise errors.invalid("the body is no JSON object")
        self._examine("", body, BATCH)
        lines = body["transactions"]
        if not isinstance(lines, list) or not lines:
            raise errors.invalid("transactions is a list of at least one")
        for position, line in enumerate(lines):
            self._check_line(f"transactions[{position}].", line)
        self._check_version(lines, version)
        self._check_later(body)
        return body

    def _examine(self, prefix: str, body: Document, allowed: dict[str, Field]) -> None:
        found = fields.examine(body, allowed)
        problems = {f"{prefix}{name}": texts for name, texts in found.problems.items()}
        unknown = [f"{prefix}{name}" for name in found.unknown]
        if unknown:
            self._complain(f"unknown fields {unknown}")
        if unknown and self._settings["unknown_fields"] == "refuse":
            problems |= {name: ["campo desconocido"] for name in unknown}
        if problems:
            raise errors.invalid(f"wrong fields: {problems}")

    def _check_line(self, prefix: str, line: Any) -> None:
        if not isinstance(line, dict):
            raise errors.invalid(f"{prefix} is no object")
        allowed = dict(KEY_LINE if "key" in line else BANK_LINE)
        if "key" not in line:
            persons = ("NATURAL", self._settings["legal_person"])
            allowed["personType"] = Field(fields.one_of(persons), is_required=False)
        self._examine(prefix, line, allowed)
        if ("legalId" in line) != ("legalIdType" in line):
            raise errors.invalid(f"{prefix}legalId and legalIdType come both or not at all")
        if "transactionStatus" in line and self._settings["environment"] != "test":
            raise errors.invalid(f"{prefix}transactionStatus is of the sandbox only")
        if "reference" not in line:
            self._complain(f"{prefix}reference is missing: it cannot be queried")

    def _check_version(self, lines: list[Document], version: int) -> None:
        has_key = any("key" in line for line in lines)
        if has_key and version == 1:
            raise errors.invalid("a line with a key goes to /v2/payouts")
        if not has_key and version == 2:
            self._complain("bank lines alone go to /v1/payouts")

    def _check_later(self, body: Document) -> None:
        if "recurring" in body:
            self._examine("recurring.", body["recurring"], RECURRING)
        if "dispersionDatetime" in body:
            tomorrow = (self._company.local_now() + timedelta(days=1)).date()
            if self.moment_of(body).date() < tomorrow:
                raise errors.invalid("dispersionDatetime is from tomorrow on")

    def moment_of(self, body: Document) -> datetime:
        try:
            found = datetime.strptime(f"{body['dispersionDatetime']}-0500", "%Y-%m-%dT%H:%M%z")
        except ValueError:
            raise errors.invalid("dispersionDatetime is no date") from None
        return found.astimezone(BOGOTA)
