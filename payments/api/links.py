"""What can be done next with what was just made: links of the OpenAPI document.

Tools follow them from POST /collect to the order's own operations, and readers see which id goes
where.
"""

from typing import Any

Document = dict[str, Any]

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
    operations = {
        operation["operationId"]: (operation, _path_parameters(operation))
        for methods in result["paths"].values()
        for operation in methods.values()
    }
    for name, (parameter, field) in MADE.items():
        if name not in operations:  # the sandbox may be off
            continue
        maker, known = operations[name]
        made = {parameter: f"$response.body#/data/{field}"}
        values = {own: f"$request.path.{own}" for own in known} | made
        maker["responses"]["201"]["links"] = {
            other: {
                "operationId": other,
                "parameters": {wanted: values[wanted] for wanted in sorted(parameters)},
            }
            for other, (_, parameters) in operations.items()
            if parameter in parameters and parameters <= values.keys()
        }
    return result


def _path_parameters(operation: Document) -> set[str]:
    return {item["name"] for item in operation.get("parameters", []) if item["in"] == "path"}
