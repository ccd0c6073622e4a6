"""Banks that a PAB file reaches, by their codes at ACH Colombia."""

from payments.payment_files.pab import AccountType
from payments.providers.colombian_banks import NAMES
from payments.providers.ports import PayoutBank

BANCOLOMBIA = "1007"
# They have deposits of low amount and no savings or checking accounts.
WALLETS = frozenset({"1097", "1507", "1551", "1801", "1802"})
# The bank in the file: five zeros and the code.
_PREFIX = "00000"
BANKS = tuple(
    PayoutBank(code=_PREFIX + code, ach_code=code, name=name) for code, name in NAMES.items()
)
_ACCOUNT_TYPES = {"SAVINGS": AccountType.SAVINGS, "CHECKING": AccountType.CHECKING}


def ach_code(code: str) -> str:
    """Of the nine digits in the file. Empty for no bank."""
    bank = code.removeprefix(_PREFIX) if len(code) == 9 else ""
    return bank if bank in NAMES else ""


def account_type(bank: str, wanted: str) -> AccountType | None:
    """None for a type that no file has."""
    return AccountType.WALLET if bank in WALLETS else _ACCOUNT_TYPES.get(wanted)
