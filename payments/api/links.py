"""What can be done next with what was just made: links of the OpenAPI document.

Tools follow them from POST /collect to the order's own operations, and readers see which id goes
where.
"""

import re

from payments.api.reference.document import Document
from payments.api.reference.requests import operations

_PARAMETER = re.compile(r"\{(\w+)\}")
# What an operation makes: the parameter of other paths that it is, and its name in the answer.
MADE = {
    "createCollection": ("order_id", "id"),
    "requestRefund": ("refund_id", "id"),
    "sandboxDisputeCollection": ("dispute_id", "disputeId"),
    "createPayout": ("payout_id", "payoutId"),
    "createTopup": ("topup_id", "id"),
    "payBill": ("payment_id", "id"),
}


def with_links(result: Document, generator: object, request: object, public: bool) -> Document:
    """Hook of drf-spectacular."""
    known = operations(result)
    paths = {name: operation.path for name, operation in known.items()}
    for name, (parameter, field) in MADE.items():
        if name not in known:  # the sandbox may be off
            continue
        values = {own: f"$request.path.{told}" for own, told in _told(paths[name]).items()}
        values[parameter] = f"$response.body#/data/{field}"
        known[name].about["responses"]["201"]["links"] = {
            other: {
                "operationId": other,
                "parameters": {told: values[wanted] for wanted, told in sorted(needed.items())},
            }
            for other, needed in ((other, _told(path)) for other, path in paths.items())
            if parameter in needed and needed.keys() <= values.keys()
        }
    return result


def with_contract_names(
    result: Document, generator: object, request: object, public: bool
) -> Document:
    """Hook of drf-spectacular, after the links: `{id}`, as the contract writes its paths."""
    paths = {}
    for path, methods in result["paths"].items():
        told = _told(path)
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["name"] = told[parameter["name"]]
        paths[_PARAMETER.sub("{id}", path, count=1)] = methods
    result["paths"] = paths
    return result


def _told(path: str) -> dict[str, str]:
    """How the document calls the parameters of a path: our routes say whose id the first one is."""
    own = _PARAMETER.findall(path)
    return dict(zip(own, ["id", *own[1:]], strict=False))
