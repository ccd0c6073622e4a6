"""The bank that a person means: by its name as people write it, its id in our catalogue, or its
code at ACH."""

from collections.abc import Iterable
from difflib import get_close_matches

from payments.payout.models import Bank
from payments.payout_batches.files.headings import plain
from payments.payout_batches.files.values import WrongValue

_CODES = ("ach", "simulator")
_LIKE = 0.75


class BankNames:
    """Of the banks that payouts reach. A text is looked up once."""

    def __init__(self, banks: Iterable[Bank]) -> None:
        self._names: dict[str, Bank] = {}
        self._known: dict[str, Bank | WrongValue] = {}
        for bank in banks:
            for name in _names_of(bank):
                self._names.setdefault(name, bank)

    def find(self, text: str) -> Bank:
        """Raises WrongValue, with the bank that the text is like."""
        if text not in self._known:
            self._known[text] = self._look(text)
        found = self._known[text]
        if isinstance(found, WrongValue):
            raise found
        return found

    def _look(self, text: str) -> Bank | WrongValue:
        name = _short(plain(text))
        if name in self._names:
            return self._names[name]
        like = get_close_matches(name, self._names, n=1, cutoff=_LIKE)
        if like:
            return WrongValue("bank_like", like=self._names[like[0]].name)
        return WrongValue("bank")


def _names_of(bank: Bank) -> list[str]:
    codes = {str(bank.codes[name]) for name in _CODES if name in bank.codes}
    digits = {code.lstrip("0") for code in codes if code.isdigit()}
    return [_short(plain(bank.slug)), _short(plain(bank.name)), *sorted(codes | digits)]


def _short(name: str) -> str:
    """`Bco. de Bogotá`, `Banco Bogotá S.A.` and `Bogotá` are one bank."""
    words = [word for word in name.split() if word not in ("banco", "bco", "b", "de", "s", "a")]
    return " ".join(words) or name
