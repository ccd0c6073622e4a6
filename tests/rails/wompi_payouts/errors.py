"""The error bodies of payouts: `{"status","code","message","type","meta"}` [S].

The document fixes the HTTP status of 033 to 037 and of the used key; those of the others are [?].
"""

import secrets
from typing import NamedTuple

from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.store import Document


class Code(NamedTuple):
    status: int
    code: str
    message: str


UNAUTHORIZED = Code(401, "UNAUTHORIZED", "Credenciales inválidas")
INVALID = Code(400, "BAD_REQUEST", "Solicitud inválida")
NOT_FOUND = Code(404, "NOT_FOUND", "No encontrado")
INSUFFICIENT_BALANCE = Code(400, "EXC_008", "Saldo insuficiente")
DAILY_LIMIT = Code(400, "EXC_017", "Límite diario excedido")
KEY_USED_BANK = Code(409, "EXC_022", "La llave de idempotencia ya fue usada")
KEY_USED_BREB = Code(409, "EXC_032", "La llave de idempotencia ya fue usada")
MALFORMED_KEY = Code(400, "EXC_033", "Formato de llave inválido")
UNKNOWN_KEY = Code(404, "EXC_034", "Llave no encontrada")
INACTIVE_KEY = Code(400, "EXC_035", "Llave inactiva")
KEY_SERVICE_ERROR = Code(503, "EXC_036", "Servicio de llaves no disponible")
KEY_SERVICE_TIMEOUT = Code(503, "EXC_037", "Tiempo de espera agotado en el servicio de llaves")


def meta() -> Document:
    return {"trace_id": secrets.token_hex(16)}


def body_of(code: Code, detail: str = "") -> Document:
    message = f"{code.message}: {detail}" if detail else code.message
    return {
        "status": code.status,
        "code": code.code,
        "message": message,
        "type": "BUSINESS" if code.code.startswith("EXC") else "VALIDATION",
        "meta": meta(),
    }


def refuse(code: Code, *, detail: str = "", complaint: str = "") -> Refusal:
    return Refusal(code.status, body_of(code, detail), complaint)


def invalid(detail: str) -> Refusal:
    """A request that a good client never makes."""
    return refuse(INVALID, detail=detail, complaint=detail)
