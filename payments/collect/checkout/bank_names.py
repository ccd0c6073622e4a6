"""Names by which payers look for a bank."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from unicodedata import normalize

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from payments.collect.checkout.payer_fields import searchable_attributes
from payments.providers.ports import Bank

# First on the list, in this order: most payers have one of them.
FAVOURITES = ("bancolombia", "nequi", "davivienda")
# What else payers call a bank, by the first word that is in its name: former and short names.
ALSO = {
    "nu": "nubank nu bank cuenta nu",
    "ban100": "credifinanciera cien",
    "union": "giros y finanzas",
    "itau": "corpbanca helm",
    "scotiabank": "colpatria",
    "villas": "avvillas",
    "caja": "bcsc",
    "bancoomeva": "coomeva",
    "bbva": "bilbao vizcaya ganadero",
    "gnb": "sudameris",
    "davivienda": "davi",
    "daviplata": "davi plata",
    "lulo": "lulobank",
    "rappipay": "rappi",
    "jfk": "kennedy",
}
COOKIE = "bank"
REMEMBERED = timedelta(days=180)
_CODE = re.compile(r"[A-Za-z0-9]{1,12}")


def last_used(request: HttpRequest) -> str:
    """The code of the bank that this browser paid from. Only the browser has it."""
    code = request.COOKIES.get(COOKIE, "")
    return code if _CODE.fullmatch(code) else ""


def remember(response: HttpResponse, code: str) -> None:
    """For the payer's next payment: no other page gets the cookie, and it names no person."""
    if _CODE.fullmatch(code):
        response.set_cookie(
            COOKIE,
            code,
            max_age=REMEMBERED,
            path="/pay",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def choices(banks: Iterable[Bank], last: str = "") -> list[Any]:
    """The last used bank and the favourites, then all others as the rail sorts them."""
    listed = list(banks)
    first = [bank for bank in listed if bank.code == last]
    names = {_short(bank.name): bank for bank in listed if bank.code != last}
    first += [names[name] for name in FAVOURITES if name in names]
    others = [bank for bank in listed if bank not in first]
    empty = ("", _("Choose your bank"))
    if not first or not others:
        return [empty, *_pairs(listed)]
    return [empty, (_("Most used"), _pairs(first)), (_("All banks"), _pairs(others))]


class BankSelect(forms.Select):
    """Its options have the other names of the bank, for the search."""

    def __init__(self) -> None:
        super().__init__(attrs=searchable_attributes())

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        if also := _also(str(option["label"])):
            option["attrs"]["data-also"] = also
        return option


def _pairs(banks: Iterable[Bank]) -> list[tuple[str, str]]:
    return [(bank.code, bank.name) for bank in banks]


def _plain(name: str) -> str:
    return normalize("NFD", name).encode("ascii", "ignore").decode().lower()


def _short(name: str) -> str:
    return _plain(name).removeprefix("banco ").strip()


def _also(name: str) -> str:
    words = re.findall(r"[a-z0-9]+", _plain(name))
    return " ".join(ALSO[word] for word in words if word in ALSO)
