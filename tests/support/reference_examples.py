"""Plays the examples of the reference as a reader would: one after the other, keeping the names."""

import itertools
from typing import Any

from django.conf import settings

from payments.api.reference import requests
from payments.api.reference.catalogue import EXAMPLES, Example
from payments.api.reference.document import document
from payments.api.reference.recordings import RECORDED_AT
from tests.support.fixtures import ApiClient
from webhooks.tasks import number_events

# What a later example uses up; everything else that is needed is played once.
SPENT = {"createCollection", "sandboxResolveCollection", "checkBill"}
_serial = itertools.count(1043)


def value_at(answer: Any, path: str) -> Any:
    """The value at `data.0.id`."""
    for step in path.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


class Reader:
    """A developer with keys who pastes examples. `names` are the variables of their shell."""

    def __init__(self, api: ApiClient) -> None:
        self.api = api
        self.names: dict[str, Any] = {}
        self.played: set[str] = set()
        self.operations = requests.operations(document())

    def play(self, operation: str) -> tuple[requests.Call, Any]:
        """The example after those that it needs; the request and its answer."""
        example = EXAMPLES[operation]
        for needed in example.needs:
            if needed in SPENT or needed not in self.played:
                self.play(needed)
        self.played.add(operation)
        if operation == "listEvents":
            number_events()  # as beat does
        return self.ask(example)

    def ask(self, example: Example) -> tuple[requests.Call, Any]:
        """One request, and what its answer gives to later ones."""
        serial = str(next(_serial))
        for name, value in example.sets.items():
            self.names[name] = value.replace("<now>", serial)
        return self.send(example)

    def send(self, example: Example) -> tuple[requests.Call, Any]:
        """The request with the variables as they are."""
        call = requests.fill(
            example, self.operations[example.operation], lambda name: str(self.names[name])
        )
        headers = {"Idempotency-Key": call.idempotency_key} if call.idempotency_key else {}
        answer = self.api.call(call.method, call.path, call.body or None, headers=headers)
        assert answer.status_code == example.status, (example.operation, answer.content)
        for name, where in example.gives.items():
            self.names[name] = value_at(answer.body, where)
        return call, answer


def shape(value: Any) -> Any:
    """Names and types of JSON, without its values; a list is what its elements are."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value[:1]]
    if isinstance(value, bool) or value is None:
        return repr(value)
    return "text" if isinstance(value, str) else "number"


def shortened(value: Any) -> Any:
    """Lists cut to two elements, for reading."""
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return [shortened(item) for item in value[:2]] if isinstance(value, list) else value


def public(text: str) -> str:
    """Addresses as `make run` has them."""
    return text.replace(settings.PUBLIC_URL, RECORDED_AT)
