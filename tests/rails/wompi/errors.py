"""The error bodies of collections."""

from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.store import Document

# A field of the request for each measured text: where its messages hang is not documented [?].
METHOD_MISSING = "No se especificó método de pago o fuente de pago"
SIGNATURE_MISSING = "Firma de integridad requerida no enviada"
SIGNATURE_WRONG = "La firma es inválida"
ACCEPTANCE_USED = "El token de aceptación ya fue usado"
ACCEPTANCE_EXPIRED = "El token de aceptación ha expirado"
ACCEPTANCE_FOREIGN = "El token de aceptación es inválido"
REFERENCE_USED = "La referencia ya ha sido usada"


def reason_body(kind: str, reason: str) -> Document:
    return {"error": {"type": kind, "reason": reason}}


def messages_body(messages: dict[str, list[str]]) -> Document:
    return {"error": {"type": "INPUT_VALIDATION_ERROR", "messages": messages}}


def unauthorized(complaint: str) -> Refusal:
    reason = "La llave proporcionada no corresponde a este ambiente"
    return Refusal(401, reason_body("INVALID_ACCESS_TOKEN", reason), complaint)


def not_found() -> Refusal:
    return Refusal(404, reason_body("NOT_FOUND_ERROR", "La entidad solicitada no existe"))


def invalid(messages: dict[str, list[str]], complaint: str = "") -> Refusal:
    return Refusal(422, messages_body(messages), complaint)


def measured(field: str, text: str, shape: str) -> Refusal:
    """A 422 whose text is measured [M] and whose shape is a setting [?]."""
    is_reason = field == "payment_method" if shape == "documented" else shape == "reason"
    if is_reason:
        return Refusal(422, reason_body("UNPROCESSABLE", text), text)
    return Refusal(422, messages_body({field: [text]}), text)
