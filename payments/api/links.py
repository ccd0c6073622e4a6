"""Links of the OpenAPI document, from an operation that creates to those that take its id."""

import re

from payments.api.reference.catalogue import EXAMPLES
from payments.api.reference.document import Document
from payments.api.reference.requests import operations

_PARAMETER = re.compile(r"\{(\w+)\}")
# For each operation that creates: the path parameter of its id, and the id's name in the response.
CREATED = {
    operation: (name.lower(), place.removeprefix("data."))
    for operation, example in EXAMPLES.items()
    for name, place in example.gives.items()
    if example.status == 201
}


def with_links(result: Document, **_: object) -> Document:
    known = operations(result)
    paths = {name: operation.path for name, operation in known.items()}
    for name, (parameter, field) in CREATED.items():
        if name not in known:  # The sandbox may be off.
            continue
        values = {
            own: f"$request.path.{documented}"
            for own, documented in _documented_names(paths[name]).items()
        }
        values[parameter] = f"$response.body#/data/{field}"
        known[name].about["responses"]["201"]["links"] = {
            other: {
                "operationId": other,
                "parameters": {
                    documented: values[wanted] for wanted, documented in sorted(needed.items())
                },
            }
            for other, needed in ((other, _documented_names(path)) for other, path in paths.items())
            if parameter in needed and needed.keys() <= values.keys()
        }
    return result


def with_contract_names(result: Document, **_: object) -> Document:
    """Hook of drf-spectacular, after the links: `{id}`, as the contract writes its paths."""
    paths = {}
    for path, methods in result["paths"].items():
        documented = _documented_names(path)
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["name"] = documented[parameter["name"]]
        paths[_PARAMETER.sub("{id}", path, count=1)] = methods
    result["paths"] = paths
    return result


def _documented_names(path: str) -> dict[str, str]:
    """The first parameter of a path is `id` in the document; our routes name its resource."""
    own = _PARAMETER.findall(path)
    return dict(zip(own, ["id", *own[1:]], strict=False))
