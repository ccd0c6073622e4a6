"""Fields and parameters that a request names and the service does not know.

A misspelt name would be ignored in silence: the request succeeds, and does something else.
"""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from urllib.parse import quote

from rest_framework.serializers import Serializer

from payments.api.serializing import SerializerClass, shared_instance

HEADER = "X-Unknown-Fields"
# Of a request, so that the answer stays short.
MAX_UNKNOWN = 10
MAX_NAME = 100


def unknown_fields(serializer_class: SerializerClass, body: Mapping[str, object]) -> list[str]:
    """The first of them, as paths: `customer.adress`, `lines.0.amuont`."""
    return [*islice(_unknown(shared_instance(serializer_class), body, ""), MAX_UNKNOWN)]


def refusals(serializer_class: SerializerClass, unknown: Collection[str]) -> dict[str, str]:
    """What is wrong with each of them, for ValidationFailed."""
    known = [*shared_instance(serializer_class).fields]
    return {
        name: f"Unknown field. {nearest_name(name, known)}" if "." not in name else "Unknown field."
        for name in unknown
    }


def header_value(unknown: Collection[str]) -> str:
    """Names with commas: printable ASCII, anything else percent-encoded."""
    return ", ".join(quote(name, safe="._-") for name in unknown)


def nearest_name(name: str, known: Collection[str]) -> str:
    """The nearest known name, or all of them."""
    if not known:
        return "This operation takes none."
    if nearest := get_close_matches(name[:MAX_NAME], known, n=1):
        return f'Did you mean "{nearest[0]}"?'
    return f"Known: {', '.join(known)}."


def _unknown(serializer: Serializer, body: Mapping[str, object], path: str) -> Iterator[str]:
    fields = serializer.fields
    for name, value in body.items():
        if name not in fields:
            # JSON may contain lone surrogates, which UTF-8 cannot.
            yield path + name[:MAX_NAME].encode("utf-8", "replace").decode()
            continue
        field = fields[name]
        child = getattr(field, "child", None)
        if isinstance(field, Serializer) and isinstance(value, dict):
            yield from _unknown(field, value, f"{path}{name}.")
        elif isinstance(child, Serializer) and isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from _unknown(child, item, f"{path}{name}.{index}.")
