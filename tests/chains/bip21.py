"""A parser of payment links, written from the grammar of BIP 21 and not from our builder."""

import re
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import unquote

# bitcoinurn     = "bitcoin:" bitcoinaddress [ "?" bitcoinparams ]
# bitcoinaddress = *base58 (or bech32)
# bitcoinparams  = bitcoinparam [ "&" bitcoinparams ]
# bitcoinparam   = [ amountparam / labelparam / messageparam / otherparam / reqparam ]
# amountparam    = "amount=" *digit [ "." *digit ]
URN = re.compile(r"(?i:bitcoin):(?P<address>[A-Za-z0-9]+)(?:\?(?P<parameters>[^#\s]+))?")
AMOUNT = re.compile(r"[0-9]+(?:\.[0-9]{1,8})?")


@dataclass(frozen=True)
class Request:
    address: str
    amount: Decimal | None
    parameters: dict[str, str]


def parse(link: str) -> Request:
    """Raises ValueError for what is no payment link, or one that demands more than wallets know."""
    found = URN.fullmatch(link)
    if found is None:
        raise ValueError(link)
    pairs = [one.partition("=") for one in (found["parameters"] or "").split("&") if one]
    given = {name: unquote(value) for name, _, value in pairs}
    if len(given) < len(pairs) or any(name.startswith("req-") for name in given):
        raise ValueError(link)
    amount = given.pop("amount", None)
    if amount is not None and not AMOUNT.fullmatch(amount):
        raise ValueError(link)
    return Request(found["address"], None if amount is None else Decimal(amount), given)
