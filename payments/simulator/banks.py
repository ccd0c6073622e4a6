"""The banks of PSE by their codes at the rail: 1000 + the code of the clearing house."""

from unicodedata import normalize

from payments.providers.colombian_banks import NAMES
from payments.providers.ports import Bank


def _sort_key(bank: Bank) -> str:
    """The name without accents and in lower case."""
    return normalize("NFD", bank.name).encode("ascii", "ignore").decode().lower()


BANKS = tuple(sorted((Bank(code=c, name=n) for c, n in NAMES.items()), key=_sort_key))
BANK_NAMES = {bank.code: bank.name for bank in BANKS}
BANK_CODES = frozenset(NAMES)
