"""Fields of `payment_method` by type, what `extra` gains later, and who decides the outcome."""

import base64
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tests.rails.fake_server import fields
from tests.rails.fake_server.fields import Field
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document

LEGAL_ID_TYPES = ("CC", "CE", "NIT", "PP", "TI", "DNI", "RG", "OTHER")
PSE_LEGAL_ID_TYPES = ("CC", "NIT")
TYPES = (
    "PSE",
    "NEQUI",
    "BANCOLOMBIA_TRANSFER",
    "BANCOLOMBIA_QR",
    "BANCOLOMBIA_COLLECT",
    "DAVIPLATA",
)
# The sandbox: 1 and 2 by name [S], 3 → ERROR [M].
SANDBOX_BANKS = {"1": "APPROVED", "2": "DECLINED", "3": "ERROR"}
# The document names no numbers; these are from memory of the public page of test data [?].
NEQUI_NUMBERS = {"3991111111": "APPROVED", "3992222222": "DECLINED"}
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3"><rect width="3" height="3"'
    ' fill="#fff"/><path d="M0 0h1v1H0zM2 0h1v1H2zM1 1h1v1H1zM0 2h1v1H0z"/></svg>'
)


def pse(settings: Settings) -> dict[str, Field]:
    description = settings["pse_description_max"]
    return {
        "user_type": Field(fields.one_of((0, 1))),
        "user_legal_id_type": Field(fields.one_of(PSE_LEGAL_ID_TYPES)),
        "user_legal_id": Field(fields.text(20)),
        "financial_institution_code": Field(fields.text(10, pattern=r"\d+")),
        "payment_description": Field(fields.text(description)),
        "reference_one": Field(fields.ip, is_required=False),
        "reference_two": Field(fields.day, is_required=False),
        "reference_three": Field(fields.text(64), is_required=False),
    }


def nequi(settings: Settings) -> dict[str, Field]:
    return {"phone_number": Field(fields.text(10, pattern=r"\d{10}"))}


def bancolombia_transfer(settings: Settings) -> dict[str, Field]:
    return {
        "payment_description": Field(fields.text(64, without="'")),
        "ecommerce_url": Field(fields.url, is_required=False),
    }


def bancolombia_qr(settings: Settings) -> dict[str, Field]:
    statuses = ("APPROVED", "DECLINED", "ERROR") if settings["environment"] == "test" else ()
    return {
        "payment_description": Field(fields.text(64, without="'")),
        "sandbox_status": Field(fields.one_of(statuses), is_required=False),
    }


def bancolombia_collect(settings: Settings) -> dict[str, Field]:
    return {}


def daviplata(settings: Settings) -> dict[str, Field]:
    return {
        "user_legal_id": Field(fields.text(20)),
        "user_legal_id_type": Field(fields.one_of(LEGAL_ID_TYPES)),
        "payment_description": Field(fields.text(30)),
    }


FIELDS: Mapping[str, Callable[[Settings], dict[str, Field]]] = {
    "PSE": pse,
    "NEQUI": nequi,
    "BANCOLOMBIA_TRANSFER": bancolombia_transfer,
    "BANCOLOMBIA_QR": bancolombia_qr,
    "BANCOLOMBIA_COLLECT": bancolombia_collect,
    "DAVIPLATA": daviplata,
}


def late_extra(kind: str, page: str) -> Document:
    """What `extra` gains when the bank's URL is published. `page` is the fake bank's."""
    if kind in {"PSE", "BANCOLOMBIA_TRANSFER"}:
        return {"async_payment_url": page}
    if kind == "BANCOLOMBIA_QR":
        image = base64.b64encode(SVG.encode()).decode()
        number = secrets.token_hex(8)
        return {"qr_id": number, "qr_image": image, "external_identifier": number}
    if kind == "BANCOLOMBIA_COLLECT":
        number = str(10**10 + secrets.randbelow(10**10))
        return {"business_agreement_code": "65843", "payment_intention_identifier": number}
    if kind == "DAVIPLATA":
        services = {"token": secrets.token_hex(16)}
        services |= {name: f"{page}/{name}" for name in ("code_otp_send", "code_otp_validate")}
        return {"url": page, "url_services": services}
    return {}


def has_page(kind: str) -> bool:
    return kind in {"PSE", "BANCOLOMBIA_TRANSFER", "DAVIPLATA"}


def planned_outcome(method: Document, settings: Settings) -> str | None:
    """None: the payer on the bank's page, or the control endpoint, decides."""
    forced: Any = settings["outcome"]
    if forced or settings["environment"] != "test":
        return str(forced) if forced else None
    kind = method["type"]
    if kind == "PSE":
        outcome = SANDBOX_BANKS.get(method["financial_institution_code"])
        is_payers = outcome == "APPROVED" and settings["pse_resolution"] == "payer"
        return None if is_payers else outcome
    if kind == "BANCOLOMBIA_QR" and settings["qr_resolution"] == "payer":
        return None
    other: str | None = method.get("sandbox_status")
    if kind == "NEQUI":
        other = settings["nequi_other_number"]
        return NEQUI_NUMBERS.get(method["phone_number"], other)
    return other
