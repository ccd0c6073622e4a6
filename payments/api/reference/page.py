"""The context of the template of the reference page."""

from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.safestring import SafeString

from payments.api.reference import error_codes, fields, magic_values, receivers
from payments.api.reference.catalogue import PRODUCTS, served
from payments.api.reference.document import Document, document
from payments.api.reference.fields import html
from payments.api.reference.parts import Example
from payments.api.reference.recordings import RECORDED_AT, recorded
from payments.api.reference.requests import Keys, Operation, curl, operations
from payments.core import jsontext
from payments.core.products import enumerate_in_words
from payments.core.products import products as declared

PERIODS = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
SCOPES = {
    "collect_create": "POST /collect",
    "collect_read": "GET /collect/{id}",
    "write": "Each other POST",
    "read": "Each other GET",
}


@dataclass(frozen=True, slots=True)
class OperationSection:
    id: str
    method: str
    path: str
    title: str
    text: SafeString
    parameters: tuple[fields.Row, ...]
    body: tuple[fields.Row, ...]
    answer: tuple[fields.Row, ...]
    # The operation whose table already lists the same response fields. Empty if there is none.
    same_as: str
    command: str
    status: int
    example: str
    errors: tuple[str, ...]
    names: tuple[tuple[str, str, str], ...]


@lru_cache(maxsize=8)
def context(keys: Keys, address: str) -> dict[str, object]:
    found = operations(document())
    base_url = f"{address}/api/v1"
    first: dict[str, str] = {}
    products = [
        (product, [_section(each, found, keys, address, first) for each in product.examples])
        for product in served(found)
    ]
    create = PRODUCTS[0].examples[0]
    is_sandbox = any(product.tag == "Sandbox" for product, _sections in products)
    return {
        "about": document()["info"],
        "base_url": base_url,
        "products": products,
        "first_command": curl(create, found[create.operation], base_url),
        "keys": keys,
        "codes": error_codes.table(),
        # Magic values need the simulator's clock, which runs only in a sandbox.
        "magic": magic_values.tables() if is_sandbox else (),
        "receivers": receivers.receivers(),
        "events": _events(),
        "limits": _limits(),
        "retries": [_wait(seconds) for seconds in settings.WEBHOOK_RETRY_DELAYS],
        "prefix": settings.WEBHOOK_HEADER_PREFIX,
        "is_sandbox": is_sandbox,
        "paid_from_balance": enumerate_in_words(each.plural for each in declared() if each.urls),
        "failure": jsontext.pretty(_FAILURE),
        "settings": settings,
    }


def _section(
    example: Example,
    found: dict[str, Operation],
    keys: Keys,
    address: str,
    first: dict[str, str],
) -> OperationSection:
    operation = found[example.operation]
    about, components = operation.about, document()["components"]["schemas"]
    body = _schema(about.get("requestBody", {}))
    answer = _schema(about["responses"].get(str(example.status), {}))
    answer = answer.get("properties", {}).get("data", answer)
    name = fields.component(answer)
    same_as = first.setdefault(name, example.operation) if name else example.operation
    listed = answer.get("items", answer)
    return OperationSection(
        id=example.operation,
        method=operation.method,
        path=operation.path,
        title=about["summary"],
        text=html(about.get("description", "")),
        parameters=tuple(_parameters(operation)),
        body=tuple(fields.rows(body, components)),
        answer=tuple(fields.rows(listed, components)) if same_as == example.operation else (),
        same_as=same_as if same_as != example.operation else "",
        command=curl(example, operation, f"{address}/api/v1", keys),
        status=example.status,
        example=_printed(recorded().get(example.operation, _UNRECORDED)["answer"], address),
        errors=tuple(dict.fromkeys(example.errors)),
        names=tuple(_names(example)),
    )


def _schema(about: Document) -> Document:
    content = about.get("content", {}).get("application/json", {})
    schema: Document = content.get("schema", {})
    return schema


def _printed(answer: object, address: str) -> str:
    text = answer.lstrip("\ufeff") if isinstance(answer, str) else jsontext.pretty(answer)
    return text.replace(RECORDED_AT, address)


def _parameters(operation: Operation) -> list[fields.Row]:
    return [
        fields.row(
            each["name"],
            {**each["schema"], "description": each.get("description", "")},
            kind=each["in"],
            is_required=bool(each.get("required")),
        )
        for each in operation.about.get("parameters", ())
    ]


def _names(example: Example) -> list[tuple[str, str, str]]:
    """Each variable of the command: its name, and the place and operation that give its value."""
    used = f"{example.path}{example.body}{example.idempotency_key}"
    titles = operations(document())
    return [
        (name, where, giver)
        for product in PRODUCTS
        for each in product.examples
        for name, where in each.gives.items()
        if (f"<{name}>" in used or f"<#{name}>" in used)
        and (giver := each.operation) != example.operation
        and giver in titles
    ]


def _events() -> list[tuple[str, str, bool]]:
    """For each event its name, its summary, and whether it is sent only if enabled."""
    return [
        (name, about["post"]["summary"], "if enabled" in about["post"].get("description", ""))
        for name, about in document()["webhooks"].items()
    ]


def _limits() -> list[tuple[str, str]]:
    rates = settings.RATE_LIMITS
    return [
        (text, "{} a {}".format(rates[scope].partition("/")[0], PERIODS[rates[scope][-1]]))
        for scope, text in SCOPES.items()
    ]


def _wait(seconds: int) -> str:
    if not seconds:
        return "at once"
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size} {name} later"
    return f"{seconds} s later"


_UNRECORDED = {"answer": ""}
_FAILURE = {
    "success": False,
    "error": {
        "code": "VALIDATION_ERROR",
        "message": "amount: Must be at least 1000.",
        "details": {"field": "amount", "fields": {"amount": "Must be at least 1000."}},
    },
}
