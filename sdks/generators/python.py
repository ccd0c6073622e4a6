"""Writes sdks/python: every type of the document, the names that we use, the version."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from generators import document as read

HEADER = '"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""\n\n'
# The hand-written part says these names. Paths are promised to merchants; schemas' names are not.
ANSWERS = {
    "Balance": ("get", "/balance"),
    "Movement": ("get", "/balance/movements"),
    "Agreements": ("get", "/bills/agreements"),
    "BillCheck": ("post", "/bills/check"),
    "BillPayment": ("get", "/bills/payments/{id}"),
    "CreatedOrder": ("post", "/collect"),
    "Order": ("get", "/collect/{id}"),
    "OrderMethod": ("get", "/collect/{id}/methods"),
    "OrderCharge": ("post", "/collect/{id}/pay"),
    "OrderStatistics": ("get", "/collect/stats"),
    "Refund": ("get", "/collect/{id}/refunds/{refund_id}"),
    "FeedEvent": ("get", "/events"),
    "Link": ("get", "/links/{id}"),
    "Payout": ("get", "/payout/{id}"),
    "PayoutMethods": ("get", "/payout/methods"),
    "PayoutQr": ("post", "/payout/qr"),
    "PayoutBatchEntry": ("get", "/payout/batches"),
    "PayoutBatch": ("get", "/payout/batches/{id}"),
    "PayoutBatchItem": ("get", "/payout/batches/{id}/lines"),
    "Settlement": ("get", "/settlements/{id}"),
    "Topup": ("get", "/topup/{id}"),
    "Operator": ("get", "/topup/operators"),
    "WebhookEndpoint": ("get", "/webhook-endpoints/{id}"),
    "WebhookEndpointWithSecret": ("post", "/webhook-endpoints"),
    "WebhookTest": ("post", "/webhook-endpoints/{id}/test"),
    "WebhookResend": ("post", "/webhook-endpoints/{id}/resend"),
    "SandboxBalance": ("post", "/sandbox/balance"),
    "SandboxSettlement": ("post", "/sandbox/settlement"),
    "Dispute": ("post", "/sandbox/collect/{id}/dispute"),
}
REQUESTS = {
    "NewBillPayment": ("post", "/bills/pay"),
    "NewOrder": ("post", "/collect"),
    "NewCharge": ("post", "/collect/{id}/pay"),
    "NewRefund": ("post", "/collect/{id}/refunds"),
    "NewLink": ("post", "/links"),
    "LinkChange": ("patch", "/links/{id}"),
    "LinkImage": ("post", "/links/{id}/image"),
    "NewPayout": ("post", "/payout"),
    "NewPayoutBatch": ("post", "/payout/batches"),
    "NewTopup": ("post", "/topup"),
    "QrToRead": ("post", "/payout/qr"),
    "NewWebhookEndpoint": ("post", "/webhook-endpoints"),
    "WebhookEndpointChange": ("patch", "/webhook-endpoints/{id}"),
    "SecretRotation": ("post", "/webhook-endpoints/{id}/rotate-secret"),
    "EventsToResend": ("post", "/webhook-endpoints/{id}/resend"),
    "OrderOutcome": ("post", "/sandbox/collect/{id}"),
    "NewDispute": ("post", "/sandbox/collect/{id}/dispute"),
}
EVENT_ID = {"type": "string", "description": "The same in every attempt."}
GENERATOR = (
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
    *("--target-python-version", "3.11", "--openapi-scopes", "schemas"),
    *("--enum-field-as-literal", "all", "--use-annotated", "--use-standard-collections"),
    *("--use-union-operator", "--use-schema-description", "--use-field-description"),
    *("--use-single-line-docstring", "--disable-timestamp", "--no-formatters"),
)


def files(document: read.Document, folder: Path) -> dict[str, str]:
    return {
        "src/pasarela/types.py": _formatted(_types(document)),
        "src/pasarela/models.py": _formatted(_models(document)),
        "src/pasarela/codes.py": _formatted(_codes(document)),
        "src/pasarela/_version.py": f'{HEADER}__version__ = "{read.version(document)}"\n',
    }


def _types(document: read.Document) -> str:
    with tempfile.TemporaryDirectory() as place:
        given, made = Path(place, "openapi.json"), Path(place, "types.py")
        given.write_text(json.dumps(_with_decimals(document)))
        command = [sys.executable, "-m", "datamodel_code_generator", *GENERATOR]
        subprocess.run([*command, "--input", given, "--output", made], check=True)
        _comment, future, code = made.read_text().partition("from __future__")
        return HEADER + future + code


def _with_decimals(document: read.Document) -> read.Document:
    """Amounts are numbers in the document and Decimal in Python; in a request also int."""
    in_requests = read.sent(document)
    schemas = {
        name: _decimal(schema, also_int=name in in_requests)
        for name, schema in document["components"]["schemas"].items()
    }
    for name in set(read.events(document).values()):  # webhooks.verify adds it
        schemas[name]["properties"]["id"] = EVENT_ID
        schemas[name]["required"] = [*schemas[name]["required"], "id"]
    return {**document, "components": {**document["components"], "schemas": schemas}}


def _decimal(value: Any, *, also_int: bool) -> Any:
    """Examples are not needed."""
    if isinstance(value, list):
        return [_decimal(each, also_int=also_int) for each in value]
    if not isinstance(value, dict):
        return value
    made = {
        name: _decimal(item, also_int=also_int) for name, item in value.items() if name != "example"
    }
    kinds = [made["type"]] if isinstance(made.get("type"), str) else made.get("type", [])
    if "number" not in kinds:
        return made
    choices = [{"type": "number", "format": "decimal"}]
    choices += [{"type": "integer"}] if also_int else []
    choices += [{"type": "null"}] if "null" in kinds else []
    kept = {name: made[name] for name in ("description", "default") if name in made}
    return {**kept, **(choices[0] if len(choices) == 1 else {"anyOf": choices})}


def _models(document: read.Document) -> str:
    lines = [HEADER, "from typing import TypeAlias", "from . import types", ""]
    for table, schema_of in ((ANSWERS, read.answer_of), (REQUESTS, read.request_of)):
        for name, (method, path) in table.items():
            schema = schema_of(document, method, path)
            lines.append(f"{name}: TypeAlias = {_type_of(schema)}")
    events = read.events(document)
    union = " | ".join(f"types.{name}" for name in dict.fromkeys(events.values()))
    lines.append(f"Event: TypeAlias = {union}")
    lines.append(f"EVENT_KINDS: tuple[str, ...] = {tuple(events)!r}")
    lines.append("# Fields that are decimal numbers; all other numbers are whole.")
    lines.append(f"DECIMAL_FIELDS: frozenset[str] = frozenset({read.number_fields(document)!r})")
    return "\n".join(lines) + "\n"


def _type_of(schema: read.Document) -> str:
    choices = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return " | ".join(f"types.{read.name_of(each)}" for each in choices)


# The classes of errors.py by status. A code with the name of one of them is that class itself.
BASES = {
    401: "AuthenticationFailed",
    403: "PermissionDenied",
    404: "NotFound",
    429: "RateLimited",
    500: "ServerError",
    503: "ServiceUnavailable",
}


def _codes(document: read.Document) -> str:
    """A class for each code."""
    lines = [
        '"""A class for each error code. Generated by `make sdks`: do not change it by hand."""'
    ]
    lines += ["from . import errors", ""]
    table = []
    for code, status in read.error_codes(document).items():
        name, base = code.title().replace("_", ""), BASES.get(status, "InvalidRequest")
        if name in BASES.values():
            table.append(f"{code!r}: errors.{name},")
            continue
        lines += [f"class {name}(errors.{base}):", f'    """{code}"""', ""]
        table.append(f"{code!r}: {name},")
    return "\n".join([*lines, "BY_CODE: dict[str, type[errors.APIError]] = {", *table, "}", ""])


def _formatted(code: str) -> str:
    command = ["ruff", "format", "--isolated", "--line-length", "100", "-"]
    done = subprocess.run(
        [sys.executable, "-m", *command], input=code, capture_output=True, text=True, check=True
    )
    return done.stdout
