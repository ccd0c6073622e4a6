"""The console's log of API calls: finding one, reading one."""

from typing import Any

import pytest

from payments.api import request_log
from payments.api.models import ApiCall
from payments.console.admin.api_calls import routes
from payments.core import clock
from tests.admin.conftest import Console
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("call_log")
LIST, RECORD = "api_apicall_changelist", "api_apicall_change"


def shown(console: Console, **query: Any) -> list[tuple[str, int]]:
    request_log.writer.flush()
    page = console.page(LIST, **query)
    assert page.status_code == 200
    return [(call.path, call.status) for call in page.context["cl"].result_list]


def test_api_calls_are_listed_and_found_by_id_and_day(
    console: Console, api: ApiClient, stranger_api: ApiClient
) -> None:
    made = api.post("/collect", order_body())
    order_id = made.body["data"]["id"]
    api.get(f"/collect/{order_id}")
    stranger_api.get(f"/collect/{order_id}")
    request_id = api.get("/payout/nothing").headers["X-Request-Id"]

    assert shown(console) == [
        ("/payout/nothing", 404),
        (f"/collect/{order_id}", 404),
        (f"/collect/{order_id}", 200),
        ("/collect", 201),
    ]
    assert shown(console, q=request_id) == [("/payout/nothing", 404)]
    assert len(shown(console, q=order_id)) == 3
    assert len(shown(console, q=api.key.public_key)) == 3
    assert len(shown(console, result="4")) == 2
    assert shown(console, result="5") == []
    assert shown(console, route="/collect") == [("/collect", 201)]
    assert len(shown(console, merchant__id__exact=stranger_api.merchant.pk)) == 1
    today = f"{clock.now().astimezone():%Y-%m-%d}"
    assert shown(console, at_from="2000-01-01", at_to="2000-01-02") == []
    assert len(shown(console, at_from="2000-01-01", at_to=today[:4] + "-12-31")) == 4


def test_a_record_shows_what_failed_and_no_secret(console: Console, api: ApiClient) -> None:
    answer = api.post("/collect", order_body(amount=1, description="<script>alert(1)</script>"))
    request_log.writer.flush()
    page = console.page(RECORD, ApiCall.objects.get().pk).content.decode()
    assert answer.headers["X-Request-Id"] in page
    assert "VALIDATION_ERROR" in page
    assert "Must be at least 1,000 COP." in page
    assert "&lt;script&gt;alert(1)" in page
    for hidden in ("<script>alert(1)", "maria@example.com", "1.020.304.050", "sk_"):
        assert hidden not in page


def test_no_person_writes_or_deletes_an_api_call(console: Console, api: ApiClient) -> None:
    api.get("/balance")
    request_log.writer.flush()
    record = ApiCall.objects.get().pk
    assert console.page("api_apicall_add").status_code == 403
    assert console.page("api_apicall_delete", record).status_code == 403
    console.submit(RECORD, record, path="/other")
    assert ApiCall.objects.get().path == "/balance"


def test_a_list_asks_the_same_few_queries_whatever_its_length(
    console: Console, api: ApiClient, django_assert_max_num_queries: Any
) -> None:
    for _ in range(12):
        api.get("/balance")
    request_log.writer.flush()
    with django_assert_max_num_queries(12):
        assert len(shown(console)) == 12


def test_the_filter_by_path_offers_every_route() -> None:
    assert {"/collect", "/collect/{order_id}", "/payout", "/sandbox/balance"} <= set(routes())
    assert all(route.startswith("/") for route in routes())
