"""Queries of the list of orders: always the JSON envelope, no side effect, never a 500.

Those that cannot be meant are refused by name, and odd ones are answered.
"""

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
WRONG_QUERIES = [
    ("limit=+5", "limit"),  # a plus is a space
    ("limit=%2B5", "limit"),
    ("limit=5.0", "limit"),
    ("limit=0x10", "limit"),
    ("limit=%D9%A1%D9%A0", "limit"),  # Arabic digits
    ("limit=" + "9" * 5000, "limit"),
    ("limit=99999999999999999999", "limit"),
    ("limit=20%00", "limit"),
    ("limit[]=5&limit=x", "limit[]"),
    ("offset=-0", "offset"),
    ("offset=1e3", "offset"),
    ("offset=", "offset"),
    ("offset=" + "9" * 19, "offset"),
    ("offset=1&offset=1", "offset"),
    ("status=PENDING&status=COMPLETED", "status"),
    ("status=PENDING%20", "status"),
    ("status=CANCELLED", "status"),
    ("status=" + "P" * 10_000, "status"),
    ("reference=" + "x" * 10_000, "reference"),
    ("reference=a%0D%0Ab", "reference"),
    ("reference=a&reference=b", "reference"),
    ("createdFrom=0", "createdFrom"),
    ("createdFrom=2026-13-45T00:00:00Z", "createdFrom"),
    ("createdFrom=2026-01-01", "createdFrom"),
    ("createdFrom=", "createdFrom"),
    ("createdTo=%00", "createdTo"),
    ("createdFrom=0001-01-01T00:00:00%2B14:00", "createdFrom"),
    ("createdTo=9999-12-31T23:59:59-14:00", "createdTo"),
    ("unknown=1&unknown=2", "unknown"),
    ("%00=%00", "\x00"),
    ("a" * 8000, "a" * 100),
    ("%FF=1", "\ufffd"),
]
ODD_QUERIES = [
    "offset=9223372036854775807",
    "limit=0100",
    "reference=%25",
    "reference=_",
    "reference=%FF%FE",
    "reference=%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9",  # emoji joined to one family
    "reference=%27%20OR%201=1--",
    "createdFrom=2026-12-31T00:00:00Z&createdTo=2026-01-01T00:00:00Z",
]


def test_a_query_that_cannot_be_meant(api: ApiClient) -> None:
    def check(query: str, field: str) -> None:
        assert_refused(api.get(f"/collect?{query}"), 400, "VALIDATION_ERROR", field)

    check_each(WRONG_QUERIES, check)


def test_an_odd_query_is_answered(api: ApiClient) -> None:
    def check(query: str) -> None:
        response = api.get(f"/collect?{query}")
        assert response.status_code == 200, response.content
        assert response.body["data"] == []

    check_each(ODD_QUERIES, check)


def test_wildcards_of_sql_find_nothing_else(api: ApiClient, order: str) -> None:
    assert len(api.get("/collect").body["data"]) == 1
    for text in ("%25", "PEDIDO%25", "______", "pedido"):
        assert api.get(f"/collect?reference={text}").body["data"] == []


def test_every_wrong_parameter_is_named(api: ApiClient) -> None:
    response = api.get("/collect?limit=0&offset=x&status=y")
    assert list(response.body["error"]["details"]["fields"]) == ["limit", "offset", "status"]


def test_parameters_of_an_operation_that_takes_none(api: ApiClient, order: str) -> None:
    def check(method: str, path: str) -> None:
        refused = api.call(method, f"{path}?expand=refunds", {} if method == "POST" else None)
        assert_refused(refused, 400, "VALIDATION_ERROR", "expand")
        expected = "expand: Unknown parameter. This operation takes none."
        assert refused.body["error"]["message"] == expected

    paths = [
        ("GET", f"/collect/{order}"),
        ("POST", "/collect"),
        ("GET", "/collect/stats"),
        ("GET", "/balance"),
        ("GET", "/payout/methods"),
        ("POST", f"/collect/{order}/cancel"),
    ]
    check_each(paths, check)
