"""Bre-B keys: the sandbox's own, their shapes, and the masked holder of a resolution [S]."""

import re

from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document
from tests.rails.wompi_payouts import errors

SHAPES = {
    "ALPHANUMERIC": r"@[A-Za-z0-9]{3,50}",
    "MAIL": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "PHONE": r"3\d{9}",
    "IDENTIFICATION": r"\d{6,15}",
    "ESTABLISHMENT_CODE": r"\d{6,15}",
}
# Holders are invented.
SANDBOX_KEYS = {
    "@elias123": "Elias Colon",
    "ecolon@wompi.com": "Elias Colon",
    "3001234567": "Ana Prueba",
    "1020304050": "Ana Prueba",
    "900123456": "Tienda Ejemplo",
}
SANDBOX_ERRORS = {
    "noexiste@test.com": errors.UNKNOWN_KEY,
    "12345": errors.MALFORMED_KEY,
    "inactiva@test.com": errors.INACTIVE_KEY,
    "timeout@test.com": errors.KEY_SERVICE_TIMEOUT,
    "error@test.com": errors.KEY_SERVICE_ERROR,
}
ENTITY = {"name": "BANCOLOMBIA", "code": "1007"}


class Keys:
    """`extra_keys` maps further keys to their holders; live mode knows no others."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def resolve(self, key: str, key_type: str) -> Document:
        if key_type not in SHAPES:
            raise errors.invalid(f"keyType is one of {sorted(SHAPES)}, not {key_type!r}")
        holder = self.holder_of(key)
        if not re.fullmatch(SHAPES[key_type], key):
            raise errors.refuse(
                errors.MALFORMED_KEY, complaint=f"a key of another kind than {key_type}"
            )
        return {
            "holderName": masked(holder),
            "financialEntity": ENTITY,
            "keyType": key_type,
            "keyValue": key,
        }

    def holder_of(self, key: str) -> str:
        """Raises the rail's refusal of a key that leads to no account."""
        if refusal := self.problem(key):
            raise refusal
        return self._known()[key]

    def problem(self, key: str) -> Refusal | None:
        is_test = self._settings["environment"] == "test"
        if is_test and key in SANDBOX_ERRORS:
            return errors.refuse(SANDBOX_ERRORS[key])
        if not any(re.fullmatch(shape, key) for shape in SHAPES.values()):
            return errors.refuse(errors.MALFORMED_KEY)
        return None if key in self._known() else errors.refuse(errors.UNKNOWN_KEY)

    def _known(self) -> dict[str, str]:
        own: dict[str, str] = self._settings["extra_keys"]
        is_test = self._settings["environment"] == "test"
        return (SANDBOX_KEYS if is_test else {}) | own


def masked(name: str) -> str:
    """Elias Colon → E**** C****."""
    return " ".join(word[0] + "*" * (len(word) - 1) for word in name.split())
