"""POST /transactions: measured order is token format → acceptance → signature → method [M].

The order of what follows, and of everything that this list does not name, is the fake's own.
"""

import hmac
from typing import Any

from tests.rails.fake_server import fields
from tests.rails.fake_server.fields import Field, Problems
from tests.rails.fake_server.store import Document
from tests.rails.wompi import errors, methods
from tests.rails.wompi.acceptance import Acceptance
from tests.rails.wompi.merchant import Merchant
from tests.rails.wompi.signature import integrity_signature

FIELDS = {
    "acceptance_token": Field(fields.anything),
    "accept_personal_auth": Field(fields.anything),
    "amount_in_cents": Field(fields.integer(1, 10**12)),
    "currency": Field(fields.one_of(["COP"])),
    "signature": Field(fields.anything),
    "customer_email": Field(fields.email),
    "reference": Field(fields.text(255)),
    "redirect_url": Field(fields.url, is_required=False),
    "expiration_time": Field(fields.utc_moment, is_required=False),
    "ip": Field(fields.ip, is_required=False),
    "customer_data": Field(fields.mapping, is_required=False),
    "payment_method": Field(fields.mapping),
}
CUSTOMER_FIELDS = {
    "full_name": Field(fields.text(255), is_required=False),
    "phone_number": Field(fields.text(20, pattern=r"\+?\d{7,15}"), is_required=False),
    "legal_id": Field(fields.text(30), is_required=False),
    "legal_id_type": Field(fields.one_of(methods.LEGAL_ID_TYPES), is_required=False),
}


class Creation:
    """Raises the refusal that the rail answers with."""

    def __init__(self, merchant: Merchant, acceptance: Acceptance) -> None:
        self._merchant = merchant
        self._settings = merchant.settings
        self._acceptance = acceptance

    def validate(self, body: Any, references: Any) -> Document:
        if not isinstance(body, dict):
            raise errors.invalid({"body": ["JSON inválido"]}, "the body is no JSON object")
        self._acceptance.check_format(body)
        self._acceptance.check_state(body)
        if self._settings["refusal_spends_acceptance"]:
            self._acceptance.spend(body)
        self._check_signature(body)
        self._check_method_given(body)
        self._check_fields(body)
        self._check_business(body, references)
        self._acceptance.spend(body)
        return body

    def _check_signature(self, body: Document) -> None:
        shape = self._settings["error_shape"]
        if not body.get("signature"):
            raise errors.measured("signature", errors.SIGNATURE_MISSING, shape)
        expected = integrity_signature(
            body.get("reference", ""),
            body.get("amount_in_cents", 0),
            body.get("currency", ""),
            body.get("expiration_time"),
            self._merchant.integrity_secret,
        )
        if not hmac.compare_digest(str(body["signature"]).encode(), expected.encode()):
            raise errors.measured("signature", errors.SIGNATURE_WRONG, shape)

    def _check_method_given(self, body: Document) -> None:
        method = body.get("payment_method")
        if not isinstance(method, dict) or not method:
            shape = self._settings["error_shape"]
            raise errors.measured("payment_method", errors.METHOD_MISSING, shape)
        if method.get("type") not in methods.TYPES:
            raise errors.invalid(
                {"payment_method.type": [f"debe ser uno de {list(methods.TYPES)}"]},
                f"payment_method.type {method.get('type')!r} is out of this fake's scope",
            )

    def _check_fields(self, body: Document) -> None:
        problems, unknown = fields.examine(body, FIELDS)
        customer = body.get("customer_data", {})
        if isinstance(customer, dict):
            self._merge("customer_data", customer, CUSTOMER_FIELDS, problems, unknown)
        method = {name: body["payment_method"][name] for name in body["payment_method"]}
        allowed = methods.FIELDS[method.pop("type")](self._settings)
        self._merge("payment_method", method, allowed, problems, unknown)
        self._require_payer(body, problems)
        self._note_unknown(unknown, problems)
        if problems:
            raise errors.invalid(problems, f"wrong fields: {problems}")

    def _merge(
        self,
        name: str,
        value: Document,
        allowed: dict[str, Field],
        problems: Problems,
        unknown: list[str],
    ) -> None:
        inner = fields.examine(value, allowed)
        problems |= {f"{name}.{field}": texts for field, texts in inner.problems.items()}
        unknown += [f"{name}.{field}" for field in inner.unknown]

    def _require_payer(self, body: Document, problems: Problems) -> None:
        """PSE: full_name and phone_number [S]. Where a page follows, the way back [?]: noted."""
        kind = body["payment_method"]["type"]
        if kind == "PSE":
            customer = body.get("customer_data")
            for field in ("full_name", "phone_number"):
                if not isinstance(customer, dict) or not customer.get(field):
                    problems.setdefault(f"customer_data.{field}", ["es requerido"])
        if methods.has_page(kind) and "redirect_url" not in body:
            self._merchant.complain(f"{kind} without redirect_url: the payer cannot come back")

    def _note_unknown(self, unknown: list[str], problems: Problems) -> None:
        if not unknown:
            return
        self._merchant.complain(f"POST /transactions: unknown fields {unknown}")
        if self._settings["unknown_fields"] == "refuse":
            problems |= {field: ["campo desconocido"] for field in unknown}

    def _check_business(self, body: Document, references: Any) -> None:
        """Refusals that a good client may meet: no complaint."""
        method = body["payment_method"]
        if method["type"] == "PSE":
            self._check_pse(body["amount_in_cents"], method["financial_institution_code"])
        expires = body.get("expiration_time")
        if expires and fields.parse_moment(expires) <= self._merchant.clock.seconds():
            raise errors.invalid({"expiration_time": ["debe ser una fecha futura"]})
        if body["reference"] in references:
            raise errors.invalid({"reference": [errors.REFERENCE_USED]})

    def _check_pse(self, amount_in_cents: int, code: str) -> None:
        minimum = self._settings["pse_minimum_cents"]
        if minimum and amount_in_cents < minimum:
            raise errors.invalid({"amount_in_cents": [f"El monto mínimo es {minimum}"]})
        if code == "0":
            self._merchant.complain("the placeholder bank 0 was offered to a payer")
        if code == "0" or code not in self._merchant.bank_codes():
            field = "payment_method.financial_institution_code"
            raise errors.invalid({field: ["Institución financiera inválida"]})
