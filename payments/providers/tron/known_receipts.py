"""Receipts of solid blocks that this process has read: each address is asked about for long."""

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from payments.providers.tron.receipts import Receipt

# The API, the transaction and the address.
Place = tuple[str, str, str]
MAX = 20_000
_lock = Lock()
_known: OrderedDict[Place, Receipt] = OrderedDict()


def find(place: Place) -> Receipt | None:
    with _lock:
        if place in _known:
            _known.move_to_end(place)
        return _known.get(place)


def keep(place: Place, receipt: Receipt, target: str) -> None:
    """Only with the transfers to the address: one transaction may pay thousands."""
    own = tuple(one for one in receipt.transfers if one.target == target)
    with _lock:
        _known[place] = replace(receipt, transfers=own)
        if len(_known) > MAX:
            _known.popitem(last=False)


def forget() -> None:
    """As a new process."""
    with _lock:
        _known.clear()
