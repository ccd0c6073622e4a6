"""Messages of rails in the conformance suite: forged ones, and what genuine ones say."""

import re
from dataclasses import replace
from functools import reduce
from operator import getitem

from payments.core import clock, jsontext
from payments.providers.ports import Callback, Flow, Hint
from tests.rails.http_calls import wait_until

# To a rail that sends none.
UNSENT = (Callback({}, b"{}"), Callback({}, b""), Callback({}, b"", query="id=1"))


def read_news(adapter, request, sent, callback):
    """What the callback says. A rail that sends none is asked."""
    if callback is None:
        return adapter.query(request.reference)
    return news_of(adapter, request, sent, adapter.read_callback(callback, clock.now()))


def forged(callback):
    """The same message with other headers, and with a signed part changed.

    A rail that signs inside the body has no headers that matter. Of one that sends no callbacks,
    each is forged.
    """
    if callback is None:
        yield from UNSENT
        return
    for name, value in callback.headers.items():
        for other in ("", value[:-1] + ("0" if value[-1] != "0" else "1")):
            yield replace(callback, headers={**callback.headers, name: other})
    if callback.headers:
        yield replace(callback, headers={})
    if callback.query:  # it carries the news, and the body none
        for other in ("", changed_digit(callback.query), f"{callback.query}&{callback.query}"):
            yield replace(callback, query=other)
        return
    bodies = [
        *changed(callback.body),
        callback.body[:-1],
        b'{"data":{},"signature":{"properties":[],"checksum":""}}',
        b'{"signature":"\\ud800"}',
        b"",
    ]
    yield from (replace(callback, body=body) for body in bodies)


def changed_digit(text):
    return re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), text, count=1)


def changed(body):
    """One byte, or each signed value if the rail signs only those that its body names."""
    event = jsontext.loads(body)
    names = event["signature"]["properties"] if "signature" in event else []
    if not names:
        yield body.replace(b"1", b"2", 1)
    for name in names:
        event = jsontext.loads(body)
        *path, last = name.split(".")
        parent = reduce(getitem, path, event["data"])
        parent[last] = f"{parent[last]}0"
        yield jsontext.dumps(event).encode()


def is_same(again, first):
    """The page of the bank may have come since."""
    if first.flow is Flow.REDIRECT and first.redirect_url is None:
        again = replace(again, redirect_url=None)
    return again == first


def page_of(payin, request, started):
    """A redirect may start without its page: then a query brings it."""
    if started.flow is not Flow.REDIRECT or started.redirect_url:
        return started.redirect_url
    return wait_until(lambda: payin.query(request.reference).redirect_url)


def news_of(adapter, request, sent, read):
    """A message may say only that there is news."""
    if not isinstance(read, Hint):
        return read
    assert read in (Hint(reference=request.reference), Hint(provider_id=sent.provider_id))
    if not read.reference and hasattr(adapter, "find_reference"):  # of outgoing payments
        assert adapter.find_reference(read.provider_id) == request.reference
    return adapter.query(request.reference)
