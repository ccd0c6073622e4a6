"""Processes keep the catalogues of outgoing payments until an operator changes them."""

import threading
import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.bills.models import BillTerms
from payments.core.models import CatalogueVersion
from payments.payout.models import Bank, Payout, PayoutMethod, PayoutSwitch
from payments.rails.models import Route
from payments.topup.models import Operator, TopUpTerms
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

CATALOGUES = ("payout_bank", "payout_payoutmethod", "payout_payoutswitch", "rails_route")
TOPUP = {"phone": "3001234567", "operatorCode": "claro", "amountCop": 20_000}


def _send(api: ApiClient, path: str = "/payout", body: object = None) -> tuple[int, str]:
    """The status, and the code of the error."""
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    response = api.post(path, body or payout_body(), headers=headers)
    return response.status_code, response.body.get("error", {}).get("code", "")


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, Decimal(10_000_000))


@pytest.mark.django_db
class TestAChangeCounts:
    """The request before has filled what the process keeps."""

    @pytest.mark.parametrize(
        ("change", "expected"),
        [
            (lambda: PayoutSwitch.objects.update(is_enabled=False), (503, "PAYOUT_DISABLED")),
            (
                lambda: PayoutMethod.objects.filter(network="BANK").update(is_enabled=False),
                (400, "PAYOUT_METHOD_NOT_AVAILABLE"),
            ),
            (
                lambda: PayoutMethod.objects.filter(network="BANK").update(max_amount=1),
                (400, "AMOUNT_ABOVE_LIMIT"),
            ),
            (lambda: Bank.objects.update(is_enabled=False), (400, "VALIDATION_ERROR")),
            (
                lambda: Route.objects.create(product="payout", account="simulator", max_amount=1),
                (503, "PAYOUT_PROVIDER_UNAVAILABLE"),
            ),
        ],
        ids=["switch", "method", "limit", "bank", "route"],
    )
    def test_for_the_next_payout(
        self, api: ApiClient, change: Callable[[], object], expected: tuple[int, str]
    ) -> None:
        assert _send(api) == (201, "")
        change()
        assert _send(api) == expected

    def test_of_a_fee(self, api: ApiClient) -> None:
        _send(api)
        PayoutMethod.objects.update(fee_flat=777)
        _send(api)
        assert Payout.objects.order_by("-id")[0].fee_amount == 777

    def test_for_the_next_top_up(self, api: ApiClient, merchant: Merchant) -> None:
        Merchant.objects.filter(pk=merchant.pk).update(topup_enabled=True)
        assert _send(api, "/topup", TOPUP) == (201, "")
        Operator.objects.filter(code="claro").update(max_amount=10_000)
        assert _send(api, "/topup", TOPUP) == (400, "AMOUNT_ABOVE_LIMIT")
        TopUpTerms.objects.update(is_enabled=False)
        assert _send(api, "/topup", TOPUP) == (503, "SERVICE_UNAVAILABLE")

    def test_for_the_next_bill(self, api: ApiClient, merchant: Merchant) -> None:
        Merchant.objects.filter(pk=merchant.pk).update(bills_enabled=True)
        body = {"agreementId": 1, "reference": "1234567890", "amountCop": 1_000}
        assert _send(api, "/bills/pay", body) != (503, "SERVICE_UNAVAILABLE")
        BillTerms.objects.update(is_enabled=False)
        assert _send(api, "/bills/pay", body) == (503, "SERVICE_UNAVAILABLE")

    def test_that_is_undone_counts_no_more(self, api: ApiClient) -> None:
        _send(api)
        with transaction.atomic():
            PayoutSwitch.objects.update(is_enabled=False)
            assert _send(api)[0] == 503
            transaction.set_rollback(True)
        assert _send(api) == (201, "")

    def test_without_any_version(self, api: ApiClient) -> None:
        _send(api)
        CatalogueVersion.objects.all().delete()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE payout_payoutswitch DISABLE TRIGGER USER")
        PayoutSwitch.objects.update(is_enabled=False)
        assert _send(api)[0] == 503


@pytest.mark.django_db
def test_nothing_is_read_again_without_a_change(api: ApiClient) -> None:
    _send(api)
    with CaptureQueriesContext(connection) as sent:
        _send(api)
    read = [query["sql"] for query in sent if any(name in query["sql"] for name in CATALOGUES)]
    assert read == []


@pytest.mark.django_db(transaction=True)
def test_a_change_of_another_process_counts_from_its_commit_on(api: ApiClient) -> None:
    """Before its commit it is not there, and the payout does not wait for it."""
    changed, seen = threading.Event(), threading.Event()

    def switch_off() -> None:
        with transaction.atomic():
            PayoutSwitch.objects.update(is_enabled=False)
            changed.set()
            assert seen.wait(30)
        connection.close()

    _send(api)
    operator = threading.Thread(target=switch_off)
    operator.start()
    assert changed.wait(30)
    during = _send(api)
    seen.set()
    operator.join()
    assert (during, _send(api)) == ((201, ""), (503, "PAYOUT_DISABLED"))


@pytest.mark.django_db
def test_every_table_of_a_catalogue_has_a_version(catalogues: None) -> None:
    Route.objects.create(product="payout", account="simulator")
    named = set(CatalogueVersion.objects.values_list("name", flat=True))
    tables = {*CATALOGUES, "topup_operator", "topup_topupterms", "bills_billterms"}
    assert tables <= named
