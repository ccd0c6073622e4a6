"""One API call as it waits to be written."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Call:
    """`rows.as_row` makes it fit for storage.

    Only text and bytes: a reference to the response would keep it, the view and the serializer
    alive until the row is written, and make the garbage collector's work several times longer.
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
    body: bytes | int | None  # int: the size of one that is too long
    failure: bytes | None
