"""Messages of rails to our callback URL: as they come, what they may be, and what we return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from payments.providers.ports.errors import InvalidCallback


@dataclass(frozen=True, slots=True)
class Callback:
    """A message as it came, before anything of it is believed.

    headers  names are compared without case: use `header`.
    body     the bytes of the request, which the signature of most rails covers.
    query    the query string as the rail wrote it. Never logged: a rail may put a secret there.
    path     of our URL, without the query.
    """

    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    query: str = field(default="", repr=False)
    path: str = ""

    def header(self, name: str) -> str:
        """Empty if there is none."""
        wanted = name.lower()
        return next((text for key, text in self.headers.items() if key.lower() == wanted), "")

    def parameter(self, name: str) -> str:
        """Of the query; empty if there is none. Raises InvalidCallback if there are two."""
        try:
            pairs = parse_qsl(
                self.query, keep_blank_values=True, errors="strict", max_num_fields=50
            )
        except ValueError as error:
            raise InvalidCallback("the query makes no sense") from error
        found = [text for key, text in pairs if key == name]
        if len(found) > 1:
            raise InvalidCallback("the query names something twice")
        return found[0] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackAnswer:
    """What tells the rail that we have the callback. A `body` of None is our own JSON."""

    status: int = 200
    body: bytes | None = None
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """Something about a payment changed, but the message does not say what.

    So the payment is queried. A hint has either our reference or the provider's id; both after
    `find_reference`.
    """

    reference: str = ""
    provider_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """A genuine message that is about nothing of ours. `kind` is for the log."""

    kind: str
