"""The toy product in the service, as docs/recipes/product.md adds it.

test_product_recipe.py runs this with tests.products.settings.
"""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.core.management import call_command
from django.test import Client

from config import checks
from merchants.models import Merchant
from payments.core import clock
from tests.admin.conftest import Console, ana, console  # noqa: F401  fixtures
from tests.products.voucher.models import Voucher
from tests.rails.kiosk import CODE, FakeServer
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund

pytestmark = pytest.mark.django_db
BODY = {"shop": "libreria", "amountCop": 20_000}


@pytest.fixture
def kiosk(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeServer:
    settings.VOUCHER_PROVIDER = CODE
    return FakeServer(monkeypatch, tmp_path)


@pytest.fixture
def buyer(api: ApiClient) -> ApiClient:
    fund(api.merchant, 100_000)
    return api


def buy(buyer: ApiClient, key: str = "v-1") -> dict[str, Any]:
    answer = buyer.post("/voucher", BODY, headers={"Idempotency-Key": key})
    assert answer.status_code == 201, answer.content
    return answer.body["data"]


def read(buyer: ApiClient, voucher: dict[str, Any]) -> dict[str, Any]:
    return buyer.get(f"/voucher/{voucher['id']}").body["data"]


def scan() -> None:
    """What beat sends to the workers."""
    current_app.loader.import_default_modules()
    current_app.tasks[current_app.conf.beat_schedule["voucher-act"]["task"]]()


def test_voucher_is_created_sent_over_its_rail_and_completed_by_the_callback(
    buyer: ApiClient, kiosk: FakeServer
) -> None:
    voucher = buy(buyer)
    assert voucher["status"] == "processing"
    assert [*kiosk.payments] == [voucher["reference"]]
    assert balance(buyer.merchant) == (80_000, 20_000)
    assert buy(buyer) == voucher  # the same key

    callback = kiosk.complete("voucher", voucher["reference"])
    for _again in range(2):
        answer = Client().post(
            f"/callbacks/voucher/{CODE}",
            callback.body,
            content_type="application/json",
            headers=callback.headers,
        )
        assert answer.status_code == 200
    assert read(buyer, voucher) == {**voucher, "status": "completed"}
    assert buyer.get("/voucher").body["data"] == [read(buyer, voucher)]
    assert balance(buyer.merchant) == (80_000, 0)


def test_movements_name_the_kinds_of_the_product(buyer: ApiClient, kiosk: FakeServer) -> None:
    buy(buyer)
    answer = buyer.get("/balance/movements?kind=voucher_reserved")
    assert [each["amount"] for each in answer.body["data"]] == [20_000, -20_000]


def test_scanner_of_the_beat_schedule_finds_what_no_callback_reported(
    buyer: ApiClient, kiosk: FakeServer
) -> None:
    voucher = buy(buyer)
    kiosk.complete("voucher", voucher["reference"])
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        scan()
    assert read(buyer, voucher)["status"] == "completed"


def test_voucher_that_the_rail_does_not_know_is_sent_again_under_its_reference(
    buyer: ApiClient, kiosk: FakeServer
) -> None:
    with kiosk.away():
        voucher = buy(buyer)
    assert kiosk.payments == {}
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        scan()
    assert [*kiosk.payments] == [voucher["reference"]]


def test_document_and_reference_describe_the_product(client: Client) -> None:
    document = client.get("/api/v1/openapi.json").json()
    assert document["info"]["description"].startswith(
        "Collections, payouts, top-ups, bill payments and vouchers"
    )
    assert "Vouchers" in [tag["name"] for tag in document["tags"]]
    create = document["paths"]["/voucher"]["post"]
    assert set(create["responses"]["201"]["links"]) == {"retrieveVoucher"}
    page = client.get("/docs").content.decode()
    assert 'id="createVoucher"' in page
    assert "SHOP_CLOSED" in page
    assert "Choose another shop." in page
    assert "VOUCHER_ID" in page


def test_metrics_count_the_open_payments_of_the_product(
    buyer: ApiClient, kiosk: FakeServer, settings: Any
) -> None:
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = "a-token-of-prometheus", 0
    buy(buyer)
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"})
    text = answer.content.decode()
    assert 'pasarela_outgoing_open{product="voucher",status="PROCESSING"} 1.0' in text
    assert 'pasarela_queue_age_seconds{scanner="voucher-act"}' in text
    assert 'pasarela_circuit_open{circuit="voucher:kiosk"}' in text


def test_console_has_the_pages_of_the_product(
    console: Console,  # noqa: F811
    buyer: ApiClient,
    kiosk: FakeServer,
) -> None:
    voucher = buy(buyer)
    listed = console.page("voucher_voucher_changelist").content.decode()
    assert voucher["id"] in listed
    assert (
        voucher["reference"]
        in console.page("voucher_voucher_change", voucher["id"]).content.decode()
    )
    merchant = console.page("merchants_merchant_vouchers", buyer.merchant.pk)
    assert merchant.url == f"/admin/voucher/voucher/?merchant__id__exact={buyer.merchant.pk}"
    entries = console.page("ledger_entry_changelist").content.decode()
    assert "voucher reserved" in entries


def test_no_table_of_another_app_changes(merchant: Merchant) -> None:
    call_command("makemigrations", "--check", "--dry-run")
    assert Voucher.objects.count() == 0


def test_check_names_a_rail_that_does_not_carry_the_product() -> None:
    """The default, until the simulator has an adapter."""
    problems = [text for _number, text in checks._provider_problems()]
    assert "VOUCHER_PROVIDER=simulator is not a known provider." in problems


def test_checks_pass_once_the_product_has_a_rail(settings: Any) -> None:
    settings.VOUCHER_PROVIDER = CODE
    out = StringIO()
    call_command("check", stdout=out)
    assert "no issues" in out.getvalue()
