"""The context of the template of the reference page, in the language of this moment."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from payments.api.reference import error_codes, magic_values, receivers, sections
from payments.api.reference.catalogue import PRODUCTS
from payments.api.reference.document import document
from payments.api.reference.fields import html, localized, shown
from payments.api.reference.requests import Keys, curl, operations
from payments.api.reference.texts import is_prose
from payments.core import jsontext
from payments.core.products import products as declared

PERIODS = {
    "s": gettext_noop("{count} a second"),
    "m": gettext_noop("{count} a minute"),
    "h": gettext_noop("{count} an hour"),
    "d": gettext_noop("{count} a day"),
}
SCOPES = {
    "collect_create": "POST /collect",
    "collect_read": "GET /collect/{id}",
    "write": gettext_noop("Each other POST"),
    "read": gettext_noop("Each other GET"),
}


@dataclass(frozen=True, slots=True)
class Product:
    slug: str
    tag: str
    text: SafeString
    operations: list[sections.OperationSection]


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: list[SafeString]
    rows: list[list[SafeString]]


def context(keys: Keys, address: str) -> dict[str, object]:
    found = operations(document())
    base_url = f"{address}/api/v1"
    products = [
        Product(part.slug, shown(part.tag), html(shown(part.text)), listed)
        for part, listed in sections.by_product(keys, address)
    ]
    create = PRODUCTS[0].examples[0]
    is_sandbox = any(product.slug == "sandbox" for product in products)
    return {
        "about": document()["info"],
        "description": shown(document()["info"]["description"]),
        "base_url": base_url,
        "products": products,
        "first_command": curl(create, found[create.operation], base_url),
        "keys": keys,
        "codes": _codes(),
        # Magic values need the simulator's clock, which runs only in a sandbox.
        "magic": [_table(each) for each in magic_values.tables()] if is_sandbox else [],
        "receivers": receivers.receivers(),
        "events": _events(),
        "limits": _limits(),
        "retries": ", ".join(_wait(seconds) for seconds in settings.WEBHOOK_RETRY_DELAYS),
        "prefix": settings.WEBHOOK_HEADER_PREFIX,
        "is_sandbox": is_sandbox,
        "paid_from_balance": _enumerated(shown(each.plural) for each in declared() if each.urls),
        "failure": jsontext.pretty(_FAILURE),
        "settings": settings,
    }


def _enumerated(words: Iterable[str]) -> str:
    """One, two and three."""
    *most, last = words
    return _("{most} and {last}").format(most=", ".join(most), last=last) if most else last


def _codes() -> list[error_codes.Code]:
    return [
        replace(each, meaning=shown(each.meaning), advice=shown(each.advice))
        for each in error_codes.table()
    ]


def _table(table: magic_values.Table) -> Table:
    title = f"{shown(table.part.tag)}: {shown(table.part.magic_key)}"
    return Table(title, _cells(table.head), [_cells(row) for row in table.rows])


def _cells(row: Iterable[str]) -> list[SafeString]:
    return [html(_cell(cell)) for cell in row]


def _cell(cell: str) -> str:
    """Names of outcomes are code, too."""
    if is_prose(cell):
        return shown(cell)
    return f"`{cell}`" if cell[:1].isalpha() else localized(cell)


def _events() -> list[tuple[str, str, bool]]:
    """For each event its name, its summary, and whether it is sent only if enabled."""
    posted = {name: about["post"] for name, about in document()["webhooks"].items()}
    return [
        (name, shown(about["summary"]), "if enabled" in about.get("description", ""))
        for name, about in posted.items()
    ]


def _limits() -> list[tuple[str, str]]:
    rates = settings.RATE_LIMITS
    return [
        (_(text), _(PERIODS[rates[scope][-1]]).format(count=rates[scope].partition("/")[0]))
        for scope, text in SCOPES.items()
    ]


def _wait(seconds: int) -> str:
    if not seconds:
        return _("at once")
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= size and seconds % size == 0:
            return _("{time} later").format(time=f"{seconds // size} {name}")
    return _("{time} later").format(time=f"{seconds} s")


_FAILURE = {
    "success": False,
    "error": {
        "code": "VALIDATION_ERROR",
        "message": "amount: Must be at least 1,000 COP.",
        "details": {"field": "amount", "fields": {"amount": "Must be at least 1,000 COP."}},
    },
}
