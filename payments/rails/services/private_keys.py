"""Private keys of wallets, which nothing here may keep: anyone who has one can take the money."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from django.views.decorators.debug import sensitive_variables

from payments.providers import keys

# The fewest words that are a key.
_FEWEST_WORDS = 12
_WORD = re.compile(r"[^\W\d_]+")


@sensitive_variables("text")
def is_private(text: str, *, is_prose: bool = False) -> bool:
    """Whether a private key is anywhere in the text.

    In prose, such as a reason, twelve words in a row are words of a wallet only if all of them are
    in the list that wallets take them from.
    """
    if not is_prose:
        return keys.holds_private_key(text)
    if any(map(keys.holds_private_key, text.split())):
        return True
    return _has_seed(_WORD.findall(_plain(text)))


@sensitive_variables("words")
def _has_seed(words: Sequence[str]) -> bool:
    run = 0
    if len(words) < _FEWEST_WORDS:
        return False
    for word in words:
        run = run + 1 if word in _wallet_words() else 0
        if run >= _FEWEST_WORDS:
            return True
    return False


@cache
def _wallet_words() -> frozenset[str]:
    """The lists in English and Spanish. bip_utils is slow to import."""
    from bip_utils.bip.bip39 import Bip39Languages
    from bip_utils.bip.bip39.bip39_mnemonic_utils import Bip39WordsListGetter

    getter = Bip39WordsListGetter()
    lists = (
        getter.GetByLanguage(language)
        for language in (Bip39Languages.ENGLISH, Bip39Languages.SPANISH)
    )
    words = (one.GetWordAtIdx(index) for one in lists for index in range(one.Length()))
    return frozenset(map(_plain, words))


def _plain(text: str) -> str:
    """Without accents, which have two spellings."""
    spread = unicodedata.normalize("NFKD", text.lower())
    return "".join(one for one in spread if not unicodedata.combining(one))
