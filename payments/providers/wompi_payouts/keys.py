"""Who has a Bre-B key, before money is sent to it."""

from urllib.parse import quote

from payments.providers.http import RailAnswer
from payments.providers.ports import (
    KeyHolder,
    OutgoingReason,
    ProviderError,
    ProviderRefused,
    ProviderTimeout,
)
from payments.providers.wompi_payouts.client import PayoutsClient, data_of, error_code

KEY_TYPES = {
    "PHONE": "PHONE",
    "EMAIL": "MAIL",
    "ALPHANUMERIC": "ALPHANUMERIC",
    "ID": "IDENTIFICATION",
    "BCODE": "ESTABLISHMENT_CODE",
}
REFUSALS = {
    "EXC_033": OutgoingReason.INVALID_REQUEST,
    "EXC_034": OutgoingReason.KEY_NOT_FOUND,
    "EXC_035": OutgoingReason.ACCOUNT_CLOSED,
}
SHOWN = 100


def resolve(client: PayoutsClient, key_type: str, key_value: str, timeout: float) -> KeyHolder:
    """For ResolvesKeys."""
    path = f"/v2/breb/keys/resolve/{quote(key_value, safe='')}?keyType={KEY_TYPES[key_type]}"
    answer = client.get(path, "wompi_payouts.resolve_key", timeout=timeout)
    if not answer.is_success:
        raise _refusal(answer)
    data = data_of(answer)
    name = data.get("holderName") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise ProviderTimeout("the answer names no holder")
    entity = data.get("financialEntity")
    bank = entity.get("name") if isinstance(entity, dict) else ""
    return KeyHolder(name=name[:SHOWN], bank=str(bank or "")[:SHOWN])


def _refusal(answer: RailAnswer) -> ProviderError:
    """Only the rail's own codes are about the key: a bare 404 may be about the address."""
    code = error_code(answer)
    if code in REFUSALS:
        return ProviderRefused(REFUSALS[code], code)
    return ProviderTimeout(f"status {answer.status} {code}")
