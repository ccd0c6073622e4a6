"""GET /collect, /collect/stats and /collect/{id}: reading orders (contract, Collections)."""

from datetime import timedelta

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import clock
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


def create(api: ApiClient, **changes: object) -> str:
    response = api.post("/collect", order_body(**changes))
    assert response.status_code == 201, response.content
    return response.body["data"]["id"]


def test_a_list_is_newest_first(api: ApiClient) -> None:
    ids = [create(api) for _ in range(3)]

    response = api.get("/collect")
    assert response.status_code == 200
    assert [row["id"] for row in response.body["data"]] == ids[::-1]
    assert response.headers["X-Total-Count"] == "3"


@pytest.mark.parametrize("hours", [0, 7, 30])
def test_pages_meet_without_gap_or_overlap_over_days(api: ApiClient, hours: int) -> None:
    created = []
    for age in range(9, -1, -1):
        with time_machine.travel(clock.now() - timedelta(hours=age * hours), tick=True):
            created.append((clock.iso(clock.now()), create(api)))
    ids = [order_id for _, order_id in created[::-1]]

    for offset in range(11):
        response = api.get(f"/collect?limit=3&offset={offset}")
        assert [row["id"] for row in response.body["data"]] == ids[offset : offset + 3]
        assert response.headers["X-Total-Count"] == "10"
    if not hours:
        return
    for moment, _ in created:  # ranges that cut a day in two
        expected = [order_id for at, order_id in created[::-1] if at >= moment]
        later = api.get(f"/collect?limit=100&createdFrom={moment}")
        earlier = api.get(f"/collect?limit=2&offset=1&createdTo={moment}&status=PENDING")
        assert [row["id"] for row in later.body["data"]] == expected
        assert later.headers["X-Total-Count"] == str(len(expected))
        assert earlier.headers["X-Total-Count"] == str(10 - len(expected))
        older = [order_id for at, order_id in created[::-1] if at < moment]
        assert [row["id"] for row in earlier.body["data"]] == older[1:3]


def test_the_default_page_has_twenty(api: ApiClient, merchant: Merchant) -> None:
    now = clock.now()
    Order.objects.bulk_create(
        Order(
            merchant=merchant,
            reference=f"B-{i}",
            currency="COP",
            amount=1001,
            base_amount=1000,
            fee_amount=1,
            customer_name="x",
            customer_email="x@example.com",
            customer_doc_type="CC",
            customer_doc_number="1",
            customer_document="1",
            allowed_methods=["PSE"],
            expires_at=now,
            created_at=now,  # all in the same instant: the id decides
            fingerprint=b"",
        )
        for i in range(25)
    )
    first, second = (api.get(f"/collect?offset={offset}").body["data"] for offset in (0, 20))
    assert (len(first), len(second)) == (20, 5)
    assert len({row["id"] for row in first + second}) == 25


def test_list_is_narrowed_by_each_filter(api: ApiClient) -> None:
    with time_machine.travel(clock.now() - timedelta(days=2)):
        old = create(api, reference="OLD")
    new = create(api, reference="NEW")
    yesterday = (clock.now() - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def found(query: str) -> list[str]:
        response = api.get(f"/collect?{query}")
        assert int(response.headers["X-Total-Count"]) == len(response.body["data"])
        return [row["id"] for row in response.body["data"]]

    assert found("status=PENDING") == [new, old]
    assert found("status=COMPLETED") == []
    assert found("reference=OLD") == [old]
    assert found(f"createdFrom={yesterday}") == [new]
    assert found(f"createdTo={yesterday}") == [old]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=-1", "limit"),
        ("limit=0", "limit"),
        ("limit=abc", "limit"),
        ("limit=101", "limit"),
        ("limit=1e3", "limit"),
        ("limit=%00", "limit"),
        ("limit=", "limit"),
        ("limit=%EF%BC%91%EF%BC%90", "limit"),
        ("limit=1&limit=2", "limit"),
        ("offset=-5", "offset"),
        ("offset=9223372036854775808", "offset"),
        ("status=completed", "status"),
        ("status=", "status"),
        ("createdFrom=yesterday", "createdFrom"),
        ("createdTo=2026-01-01T00:00:00", "createdTo"),
        ("reference=%00", "reference"),
    ],
)
def test_bad_query_parameter_is_named(api: ApiClient, query: str, field: str) -> None:
    response = api.get(f"/collect?{query}")

    assert response.status_code == 400
    assert response.body["error"]["code"] == "VALIDATION_ERROR"
    assert response.body["error"]["details"]["field"] == field


def test_a_list_shows_only_ones_own(api: ApiClient, stranger_api: ApiClient) -> None:
    create(stranger_api)

    assert api.get("/collect").body["data"] == []
    assert api.get("/collect/stats").body["data"]["total"] == 0


class TestStatistics:
    def test_nothing_collected_is_the_number_zero(self, api: ApiClient) -> None:
        create(api)

        assert api.get("/collect/stats").body["data"] == {
            "total": 1,
            "pending": 1,
            "completed": 0,
            "failed": 0,
            "totalCollected": 0,
            "collectedByCurrency": {},
        }

    def test_statistics_count_by_status_and_sum_by_currency(self, api: ApiClient) -> None:
        for status in ("COMPLETED", "COMPLETED", "FAILED", "EXPIRED"):
            order = create(api, amount=50000)
            api.post(f"/sandbox/collect/{order}", {"status": status})
        create(api)

        assert api.get("/collect/stats").body["data"] == {
            "total": 5,
            "pending": 1,
            "completed": 2,
            "failed": 1,
            "totalCollected": "100050",
            "collectedByCurrency": {"COP": "100050"},
        }


class TestNotFound:
    @pytest.mark.parametrize(
        "order_id",
        ["col_00000000000000000000000000", "nope", "stats2", "%00", "COL_X", "x" * 5000, "..", "ñ"],
    )
    def test_every_wrong_id_gets_the_same_answer(self, api: ApiClient, order_id: str) -> None:
        response = api.get(f"/collect/{order_id}")

        assert response.status_code == 404
        assert response.body["error"]["code"] == "ORDER_NOT_FOUND"

    def test_another_merchants_order_is_absent_byte_for_byte(
        self, api: ApiClient, stranger_api: ApiClient
    ) -> None:
        theirs = create(stranger_api)

        absent = api.get("/collect/col_00000000000000000000000000")
        assert api.get(f"/collect/{theirs}").content == absent.content


def test_order_is_read_in_the_statement_of_its_key(
    api: ApiClient, django_assert_num_queries
) -> None:
    order = create(api)
    with django_assert_num_queries(1):
        api.get(f"/collect/{order}")
