"""What surrounds `data` in a good answer [S]."""

from typing import Any

from tests.rails.fake_server.store import Document
from tests.rails.wompi_payouts import errors


def envelope(data: Any, status: int = 200) -> Document:
    return {
        "status": status,
        "code": "OK",
        "message": "Solicitud ejecutada correctamente.",
        "meta": errors.meta(),
        "data": data,
    }
