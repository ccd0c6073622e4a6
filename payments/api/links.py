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
    needed = {name: set(_PARAMETER.findall(operation.path)) for name, operation in known.items()}
    for name, (parameter, field) in MADE.items():
        if name not in known:  # the sandbox may be off
            continue
        made = {parameter: f"$response.body#/data/{field}"}
        values = {own: f"$request.path.{own}" for own in needed[name]} | made
        known[name].about["responses"]["201"]["links"] = {
            other: {
                "operationId": other,
                "parameters": {wanted: values[wanted] for wanted in sorted(parameters)},
            }
            for other, parameters in needed.items()
            if parameter in parameters and parameters <= values.keys()
        }
    return result


def with_contract_names(
    result: Document, generator: object, request: object, public: bool
) -> Document:
    """Hook of drf-spectacular, after the links: `{id}`, as the contract writes its paths.

    Our routes say whose id it is, and so does a second one in a path.
    """
    paths, firsts = {}, {}
    for path, methods in result["paths"].items():
        name = next((found for found in _PARAMETER.findall(path) if found.endswith("_id")), "")
        paths[path.replace(f"{{{name}}}", "{id}", 1)] = methods
        for operation in methods.values():
            firsts[operation["operationId"]] = name
            for parameter in operation.get("parameters", ()):
                if (parameter["in"], parameter["name"]) == ("path", name):
                    parameter["name"] = "id"
    result["paths"] = paths
    for operation in (each for methods in paths.values() for each in methods.values()):
        own = f"$request.path.{firsts[operation['operationId']]}"
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                theirs = firsts[link["operationId"]]
                link["parameters"] = {
                    "id" if name == theirs else name: "$request.path.id" if value == own else value
                    for name, value in link["parameters"].items()
                }
    return result
