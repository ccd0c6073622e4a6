"""The catalogue of GET /payout/methods: methods with limits and fees, banks, the main switch."""

import re
from dataclasses import dataclass
from datetime import datetime
from unicodedata import normalize

from django.conf import settings

from payments.outgoing.catalogue_changes import add_missing
from payments.payout.models import AccountType, Bank, KeyType, Network, PayoutMethod, PayoutSwitch
from payments.payout.services.errors import PayoutMethodNotAvailable
from payments.providers import registry

# docs/gaps.md, Payouts: the rows of a new installation.
DEFAULTS = (
    ("bank", "Bank account", Network.BANK, 50_000_000, 2_500),
    ("breb", "Bre-B", Network.BREB, 11_552_000, 900),
)
DOC_TYPES = ("CC", "CE", "NIT", "PP")
RequiredField = tuple[str, bool, str, tuple[str, ...] | None]  # key, required, type, enum
COMMON_FIELDS: tuple[RequiredField, ...] = (
    ("recipientName", True, "string", None),
    ("recipientDocType", True, "string", DOC_TYPES),
    ("recipientDocNumber", True, "string", None),
)
NETWORK_FIELDS: dict[Network, tuple[RequiredField, ...]] = {
    Network.BANK: (
        ("bankCanonicalId", True, "bankSelect", None),
        ("accountType", True, "string", tuple(AccountType.values)),
        ("accountNumber", True, "string", None),
    ),
    Network.BREB: (
        ("keyType", True, "string", tuple(KeyType.values)),
        ("keyValue", True, "string", None),
    ),
}


@dataclass(frozen=True, slots=True)
class Method:
    """A method of GET /payout/methods. Only the bank network has `banks`."""

    row: PayoutMethod
    banks: list[Bank]

    @property
    def required_fields(self) -> tuple[RequiredField, ...]:
        return COMMON_FIELDS + NETWORK_FIELDS[Network(self.row.network)]


def is_enabled() -> bool:
    return not PayoutSwitch.objects.filter(is_enabled=False).exists()


def methods() -> list[Method]:
    """The enabled methods; empty when payouts are switched off."""
    if not is_enabled():
        return []
    banks = list(Bank.objects.filter(is_enabled=True).order_by("name"))
    found = PayoutMethod.objects.filter(is_enabled=True).order_by("method")
    return [Method(row, banks if row.network == Network.BANK else []) for row in found]


def method_of(network: str) -> PayoutMethod:
    """Raises PayoutMethodNotAvailable."""
    row = PayoutMethod.objects.filter(network=network, is_enabled=True).first()
    if row is None:
        raise PayoutMethodNotAvailable
    return row


def find_bank(slug: str) -> Bank | None:
    return Bank.objects.filter(slug=slug, is_enabled=True).first()


def load_catalogue(*, now: datetime) -> int:
    """Adds missing methods, banks and the switch; returns how many rows."""
    methods = [
        PayoutMethod(method=method, label=label, network=network, max_amount=maximum, fee_flat=fee)
        for method, label, network, maximum, fee in DEFAULTS
    ]
    provider = settings.PAYIN_PROVIDER
    simulated = registry.PAYIN.get(provider).banks() if registry.is_simulated(provider) else ()
    banks = [
        Bank(slug=slug_of(bank.name), name=bank.name, codes={provider: bank.code})
        for bank in simulated
    ]
    return (
        add_missing(PayoutMethod, methods)
        + add_missing(Bank, banks)
        + add_missing(PayoutSwitch, [PayoutSwitch(id=1)])
    )


def slug_of(name: str) -> str:
    """A bank's canonical id, ours and stable: "Banco de Bogotá" -> "banco-de-bogota"."""
    ascii_name = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")
