"""One API call, as it is queued for the log."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Call:
    """An API call before redaction (`rows.as_row`).

    It has no reference to the response. Otherwise the view and the serializer would stay in
    memory until the row is written, which costs the garbage collector several times more.
    """

    at: datetime
    merchant_id: str | None
    key: str
    method: str
    route: str
    path: str
    query: str
    status: int
    seconds: float
    request_id: str
    address: str
    idempotency_key: str
    subject: str
    body: bytes | int | None  # int: the size of a body that is too long
    failure: bytes | None
