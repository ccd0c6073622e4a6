"""A product that sends money declares its parts here. The recipe is docs/recipes/product.md.

settings.PRODUCTS has the dotted paths of the declarations. The settings read them, so a declaration
imports no model. It names the parts that need models by their dotted paths.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import import_string

# The steps of a payment's money (payments.ledger.recipes.outgoing).
STEPS = ("reserved", "released", "completed", "returned", "lost")
_NAME = re.compile(r"[a-z][a-z]{1,19}")
# The id of a system check has three digits. Each product takes three ids of a group of ten.
# config/checks.py and config/product_checks.py use the missing groups.
_CHECK_IDS = {*range(20, 1000, 10)} - {30, 70, 80, 90}


@dataclass(frozen=True, slots=True)
class ProductEvent:
    """The webhook of a status, for accounts that have enabled it.

    status   as in the API.
    summary  what happened, in English, for the documents and the console's choices.
    words    the same for the console's lists, in few words.
    """

    status: str
    summary: str
    words: str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductDeclaration:
    """One kind of outgoing payment, and where its parts are.

    name             lower-case letters, never changed: begins its kinds of ledger entries, and
                     the word in its callbacks' URL and in the declarations of rails.
    plural           its payments in the documents of the API, as in "payouts, top-ups".
    provider_setting the setting with the rail of new payments, such as PAYOUT_PROVIDER.
    check_id         the first id of that setting's system checks: 40 is pasarela.E040.
    engine           its payments.outgoing.engine.Engine.
    scanner          its entry of the beat schedule, and `scan_task` the task, which finds the
                     payments that are due.
    entry_labels     {step of STEPS: the label of that kind of ledger entry}.
    switch           the column of an account that enables it. Empty: it is always enabled.
    urls             its endpoints below /api/v1/. Empty: endpoints of another app create it.
    reference        its payments.api.reference.parts.Part of the reference of the API, or empty.
    payload          the serializer of `data` in its webhooks. Empty: it has none.
    events           one for each status that its webhooks tell. The kind is `<name>.<status>`.
    """

    name: str
    plural: str
    provider_setting: str
    check_id: int
    engine: str
    scanner: str
    scan_task: str
    entry_labels: Mapping[str, str | Promise]
    switch: str = ""
    urls: str = ""
    reference: str = ""
    payload: str = ""
    events: Sequence[ProductEvent] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for a declaration that contradicts itself."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name of a product: 2 to 20 letters a to z.")
        if [*self.entry_labels] != [*STEPS]:
            steps = ", ".join(STEPS)
            raise ValueError(f"{self.name}: entry_labels must have {steps}, in this order.")
        if not self.provider_setting.isupper() or not self.provider_setting.endswith("_PROVIDER"):
            raise ValueError(f"{self.name}: provider_setting must look like PAYOUT_PROVIDER.")
        if self.check_id not in _CHECK_IDS:
            raise ValueError(f"{self.name}: check_id must be a free multiple of ten below 1000.")
        if bool(self.payload) != bool(self.events):
            raise ValueError(f"{self.name}: payload and events belong together.")
        if self.switch and not self.switch.endswith("_enabled"):
            raise ValueError(f"{self.name}: switch must look like payout_enabled.")

    def event_kind(self, status: str) -> str:
        return f"{self.name}.{status.lower()}"

    def entry_kind(self, step: str) -> str:
        return f"{self.name}_{step}"

    @property
    def entry_kinds(self) -> list[tuple[str, str | Promise]]:
        """The kinds of ledger entries, with their labels."""
        return [(self.entry_kind(step), label) for step, label in self.entry_labels.items()]


def products() -> Sequence[ProductDeclaration]:
    """The products of settings.PRODUCTS, in that order."""
    return load(settings.PRODUCTS)


def named(name: str) -> ProductDeclaration:
    """Raises LookupError."""
    for product in products():
        if product.name == name:
            return product
    known = ", ".join(product.name for product in products())
    raise LookupError(f"No product is called {name!r}. settings.PRODUCTS declares {known}.")


def load(paths: Sequence[str]) -> Sequence[ProductDeclaration]:
    """Loads the declarations for the settings. Raises ImproperlyConfigured.

    The error is a path without a declaration, or two declarations that collide.
    """
    return _load(tuple(paths))


@cache
def _load(paths: tuple[str, ...]) -> Sequence[ProductDeclaration]:
    found = [_declaration(path) for path in paths]
    for field in ("name", "provider_setting", "check_id", "scanner"):
        values = [getattr(product, field) for product in found]
        if twice := {value for value in values if values.count(value) > 1}:
            raise ImproperlyConfigured(f"PRODUCTS: two products have the {field} {twice.pop()}.")
    return tuple(found)


def enumerate_in_words(words: Iterable[str]) -> str:
    """One, two and three."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _declaration(path: str) -> ProductDeclaration:
    try:
        found = import_string(path)
    except (ImportError, ValueError) as error:
        raise ImproperlyConfigured(f"PRODUCTS: {path} cannot be loaded. {error}") from error
    if not isinstance(found, ProductDeclaration):
        raise ImproperlyConfigured(f"PRODUCTS: {path} is no ProductDeclaration.")
    return found
