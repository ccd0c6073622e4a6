"""Extended public keys of coin accounts, and the keys of their receiving addresses.

A private key is refused, and is in no error and no log. bip_utils is imported late, because it
takes half a second.
"""

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

if TYPE_CHECKING:
    from bip_utils import Bip32Slip10Secp256k1

# SLIP-132: the first four bytes, and what the key begins with. Both are chosen by the network and
# by the kind of addresses that the wallet makes of the key.
PUBLIC_SPELLINGS = {
    "0488b21e": "xpub",
    "049d7cb2": "ypub",
    "04b24746": "zpub",
    "0295b43f": "Ypub",
    "02aa7ed3": "Zpub",
    "043587cf": "tpub",
    "044a5262": "upub",
    "045f1cf6": "vpub",
    "024289ef": "Upub",
    "02575483": "Vpub",
    "019da462": "Ltub",
    "01b26ef6": "Mtub",
}
KEY_BYTES = 78
# In base58 it has 111. Decoding takes time by the square of the length.
MAX_CHARACTERS = 120
# Of the account: m/84'/0'/0' has three levels. Some wallets have fewer. A key below it belongs to
# one address only.
DEPTHS = range(1, 4)
HARDENED = 2**31

_BASE58 = "[1-9A-HJ-NP-Za-km-z]"
# xprv, yprv, zprv, tprv, uprv, vprv, their forms for shared wallets, Ltpv and Mtpv. They begin a
# word: one public key of a thousand has such letters inside.
_PRIVATE = re.compile(
    rf"(?<![0-9a-z])(?:[xyztuv]prv|Ltpv|Mtpv|ttpv){_BASE58}{{20,}}", re.IGNORECASE
)
# The key of one address (WIF), which has 51 or 52 characters. Those of passwords may be such, too:
# it has a checksum.
_MAYBE_WIF = re.compile(rf"(?<!{_BASE58}){_BASE58}{{51,52}}(?!{_BASE58})")
# Its version, the key, and 1 where the public key is compressed.
_WIF_BYTES = (33, 34)
_HEX_KEY = re.compile(r"(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])", re.IGNORECASE)
_WORDS = re.compile(r"(?:[^\W\d_]{3,10}[\s,]+){11,}[^\W\d_]{3,10}")


class KeyRefused(ValueError):
    """The message is for people and does not hold what they entered."""


@dataclass(frozen=True, slots=True)
class AccountKey:
    """The public key of a wallet's account: it makes addresses and can move nothing.

    spelling  what its text begins with: `zpub`.
    """

    spelling: str
    chain_code: bytes
    public_key: bytes

    @property
    def key_id(self) -> str:
        """The same in each spelling."""
        return hashlib.sha256(self.chain_code + self.public_key).hexdigest()

    def child(self, index: int) -> bytes:
        """The public key m/0/index, compressed: of a receiving address."""
        if not 0 <= index < HARDENED:
            raise ValueError("An index of an address has 31 bits.")
        found: bytes = _receiving(self).ChildKey(index).PublicKey().RawCompressed().ToBytes()
        return found


@sensitive_variables("text")
def holds_private_key(text: str) -> bool:
    """Anywhere in the text: an extended private key, WIF, or the words of a wallet.

    64 hex digits alone do not count: passwords of nodes and hashes are such, too.
    """
    return bool(_PRIVATE.search(text) or _WORDS.search(text) or _holds_wif(text))


@sensitive_variables("text")
def _holds_wif(text: str) -> bool:
    found = map(_bytes_of, _MAYBE_WIF.findall(text))
    return any(raw is not None and len(raw) in _WIF_BYTES for raw in found)


@sensitive_variables("text")
def parse_public_key(text: str, *, spellings: Collection[str]) -> AccountKey:
    """`spellings`: what the key may begin with. Raises KeyRefused."""
    text = text.strip()
    if holds_private_key(text) or _HEX_KEY.search(text):
        raise KeyRefused(
            gettext(
                "This is private: anyone who has it can take the money. It was not saved. Enter "
                "the extended public key. If what you entered protects money, move that money to "
                "another wallet."
            )
        )
    key = _read(text)
    if key is None or key.spelling not in spellings:
        names = ", ".join(spellings)
        raise KeyRefused(
            gettext("Enter the extended public key of the wallet's account. It begins with %s.")
            % names
        )
    return key


@sensitive_variables("text")
def _read(text: str) -> AccountKey | None:
    raw = _bytes_of(text)
    if raw is None or len(raw) != KEY_BYTES or raw[4] not in DEPTHS:
        return None
    spelling = PUBLIC_SPELLINGS.get(raw[:4].hex())
    key = AccountKey(spelling or "", raw[13:45], raw[45:])
    return key if spelling and _is_point(key.public_key) else None


@sensitive_variables("text")
def _bytes_of(text: str) -> bytes | None:
    """None for what is no base58 with its checksum. The error itself could hold the text."""
    from bip_utils import Base58Decoder

    if len(text) > MAX_CHARACTERS:
        return None
    try:
        found: bytes = Base58Decoder.CheckDecode(text)
    except Exception:
        return None
    return found


def _is_point(public_key: bytes) -> bool:
    """A private key inside a public spelling begins with 0."""
    from bip_utils import Secp256k1PublicKey

    return bool(public_key[0] in (2, 3) and Secp256k1PublicKey.IsValidBytes(public_key))


@lru_cache(maxsize=256)
def _receiving(key: AccountKey) -> "Bip32Slip10Secp256k1":
    """m/0."""
    from bip_utils import Bip32ChainCode, Bip32KeyData, Bip32Slip10Secp256k1

    data = Bip32KeyData(chain_code=Bip32ChainCode(key.chain_code))
    return Bip32Slip10Secp256k1.FromPublicKey(key.public_key, data).ChildKey(0)
