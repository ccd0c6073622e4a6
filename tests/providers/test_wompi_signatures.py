"""Wompi's signatures against the vectors that the rail publishes."""

import tracemalloc

import pytest

from payments.core import jsontext
from payments.providers.ports import InvalidCallback
from payments.providers.wompi import signatures

SECRET = "test_events_1"
EVENT = {
    "data": {
        "transaction": {
            "id": "1234-1610641025-49201",
            "status": "APPROVED",
            "amount_in_cents": 4490000,
        }
    },
    "signature": {
        "properties": ["transaction.id", "transaction.status", "transaction.amount_in_cents"],
        "checksum": "c7c03147429efbbcfab3cdf585041c871d577ca183b1387581535add1a061780",
    },
    "timestamp": 1530291411,
}
EVENTS_SECRET = "test_events_EqCPDEn5x4lRatGPxLhyZd6YTgd6QSrr"


@pytest.mark.parametrize(
    ("reference", "expiration", "secret", "expected"),
    [
        (
            "ref-123",
            "",
            "test_integrity_key",
            "3020531ed7879230f3ed79e981eda23c5efcd8ce2da4576876ca16f783224e54",
        ),
        (
            "ref-123",
            "2025-01-01T00:00:00.000Z",
            "test_integrity_key",
            "e03cb492e50b9497abd14c0e99a9d677401d9fafce3ed8d6296c68e7fa3304b9",
        ),
        (
            "sk8-438k4-xmxm392-sn2m",
            "",
            "prod_integrity_Z5mMke9x0k8gpErbDqwrJXMqsI6SFli6",
            "37c8407747e595535433ef8f6a811d853cd943046624a0ec04662b17bbf33bf5",
        ),
    ],
)
def test_integrity_signature_matches_the_published_vectors(reference, expiration, secret, expected):
    found = signatures.integrity(
        reference=reference, cents=2490000, expiration=expiration, secret=secret
    )
    assert found == expected


def test_event_of_the_documentation_is_accepted_in_any_case():
    signatures.check_event(EVENT, [EVENTS_SECRET])
    upper = {**EVENT["signature"], "checksum": EVENT["signature"]["checksum"].upper()}
    signatures.check_event({**EVENT, "signature": upper}, [SECRET, EVENTS_SECRET])


@pytest.mark.parametrize(
    "change",
    [
        {"timestamp": 1530291412},
        {"data": {"transaction": {**EVENT["data"]["transaction"], "amount_in_cents": 4490001}}},
        {"data": {"transaction": {}}},
        {"data": None},
        {"signature": None},
        {"signature": {**EVENT["signature"], "properties": []}},
        {"signature": {**EVENT["signature"], "properties": "transaction.id"}},
        {"signature": {**EVENT["signature"], "properties": ["transaction"]}},
        {"signature": {**EVENT["signature"], "properties": [7]}},
        {"signature": {**EVENT["signature"], "checksum": None}},
        {"signature": {**EVENT["signature"], "checksum": "ñ"}},
    ],
)
def test_event_that_was_changed_or_signs_nothing_is_refused(change):
    with pytest.raises(InvalidCallback):
        signatures.check_event({**EVENT, **change}, [EVENTS_SECRET])
    with pytest.raises(InvalidCallback):
        signatures.check_event(EVENT, [SECRET])


LONG = "x" * 28_000


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"a": LONG}, ["a"] * 8_500),
        ({"a": LONG}, ["a"]),
        ({"a": "1"}, ["a"] * 17),
        ({"a" * 101: "1"}, ["a" * 101]),
        ([LONG], [0]),
    ],
)
def test_event_that_names_too_much_is_refused_before_it_is_joined(data, names):
    """Anybody can send it: its checksum is not looked at, and its memory is what the body takes."""
    body = {"data": data, "timestamp": 1, "signature": {"properties": names, "checksum": "0"}}
    event = jsontext.loads(jsontext.dumps(body).encode())
    tracemalloc.start()
    try:
        with pytest.raises(InvalidCallback, match=r"too much|too long|no path"):
            signatures.check_event(event, [SECRET, EVENTS_SECRET])
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
