"""The words of the tabs above a list: in Spanish, states agree with the many rows of the list."""

import re

from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext

_FEMININE = re.compile(r"\w*(as|iones|udes|órdenes|llaves)", re.IGNORECASE)
# Words that are no adjective: "En proceso", "Por aprobar", "Esperando transferencia".
_UNCHANGED = re.compile(r"\w{1,3}|\w+ndo", re.IGNORECASE)
_VERBS = {"Espera": "Esperan"}


def everything(list_name: str) -> str:
    if _is_feminine(list_name):
        return pgettext("tab of a feminine list", "All")
    return pgettext("tab", "All")


def of_state(label: str, list_name: str) -> str:
    """`Pendientes` for `Pendiente`; labels of other languages stay."""
    label = capfirst(label)
    if not (get_language() or "").startswith("es"):
        return label
    first, space, rest = label.partition(" ")
    return f"{_VERBS.get(first) or _plural(first, list_name)}{space}{rest}"


def _plural(word: str, list_name: str) -> str:
    if _UNCHANGED.fullmatch(word):
        return word
    if word[-1] in "ao":
        return f"{word[:-1]}{'as' if _is_feminine(list_name) else 'os'}"
    return f"{word}s" if word[-1] == "e" else word


def _is_feminine(list_name: str) -> bool:
    return _FEMININE.fullmatch(list_name.partition(" ")[0]) is not None
