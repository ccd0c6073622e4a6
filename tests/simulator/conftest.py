"""A simulator with an empty store, and a service that records its callbacks."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from payments.core import clock, ids
from payments.providers import registry
from payments.providers.ports import (
    BillPort,
    BillRequest,
    ChargeRequest,
    ChargeUpdate,
    OutgoingUpdate,
    Payer,
    PayinPort,
    PayoutNetwork,
    PayoutPort,
    PayoutRequest,
    Rail,
    TopupPort,
    TopupRequest,
)
from payments.simulator import fake_billers
from tests.simulator import urls

TIMEOUT = 5  # seconds that a call may take
RETURN_URL = "https://cafeandino.example/gracias?order=1"


@pytest.fixture(autouse=True)
def _simulated(settings: Any, tmp_path: Path) -> None:
    settings.SIMULATOR_STATE = tmp_path / "simulator" / "simulator.sqlite3"
    settings.PAYIN_PROVIDER = settings.PAYOUT_PROVIDER = "simulator"
    settings.TOPUP_PROVIDER = settings.BILLS_PROVIDER = "simulator"
    settings.REFUND_PROVIDER = "simulator"
    settings.ROOT_URLCONF = "tests.simulator.urls"


@pytest.fixture
def arrived() -> Iterator[list[ChargeUpdate]]:
    """The callbacks that arrived and were found authentic."""
    urls.arrived.clear()
    yield urls.arrived
    urls.arrived.clear()


@pytest.fixture
def port() -> PayinPort:
    """The simulator, found as services find it."""
    return registry.PAYIN.configured()


@pytest.fixture
def arrived_outgoing() -> Iterator[list[OutgoingUpdate]]:
    """The callbacks about money on its way out that arrived and were found authentic."""
    urls.arrived_outgoing.clear()
    yield urls.arrived_outgoing
    urls.arrived_outgoing.clear()


@pytest.fixture
def payout_port() -> PayoutPort:
    """The simulator of payouts, found as services find it."""
    return registry.outgoing("payout").configured()


@pytest.fixture
def topup_port() -> TopupPort:
    """The simulator of top-ups, found as services find it."""
    return registry.outgoing("topup").configured()


@pytest.fixture
def bill_port() -> BillPort:
    """The simulator of bills, found as services find it."""
    return registry.outgoing("bill").configured()


@pytest.fixture
def browser() -> Client:
    """A payer's browser: keeps cookies, and gets no leave from CSRF."""
    return Client(enforce_csrf_checks=True)


def charge(method: Rail = Rail.PSE, **changes: Any) -> ChargeRequest:
    """An ordinary request: Café Andino asks Lucía for 50,025 COP (0.5 ETH for a coin)."""
    is_coin = method is Rail.CRYPTO
    fields = {Rail.PSE: {"bankCode": "1007", "personType": "NATURAL"}, Rail.CRYPTO: {"coin": "ETH"}}
    document = changes.pop("document", "1020304050")
    values: dict[str, Any] = {
        "reference": ids.new_id("chg"),
        "method": method,
        "amount": Decimal("0.5") if is_coin else Decimal(50025),
        "currency": "ETH" if is_coin else "COP",
        "description": "Dos libras de café",
        "merchant_name": "Café Andino",
        "payer": Payer(
            name="Lucía Ñáñez",
            email="lucia@example.com",
            phone="3001234567",
            document_type="CC",
            document_number=document,
        ),
        "fields": fields.get(method, {}),
        "return_url": RETURN_URL,
        "callback_url": "http://testserver/callbacks/payin/simulator",
        "expires_at": clock.now() + timedelta(hours=1),
    }
    return ChargeRequest(**{**values, **changes})


def payout(network: PayoutNetwork = PayoutNetwork.BANK, **changes: Any) -> PayoutRequest:
    """An ordinary request: 50,000 COP to Lucía, at Bancolombia or by her phone."""
    account = {"bank_code": "1007", "account_type": "SAVINGS", "account_number": "12345678901"}
    key = {"key_type": "PHONE", "key_value": "3001234567"}
    values: dict[str, Any] = {
        "reference": ids.new_id("pref"),
        "payment_id": ids.new_id("po"),
        "network": network,
        "amount": Decimal(50000),
        "recipient_name": "Lucía Ñáñez",
        "document_type": "CC",
        "document_number": "1020304050",
        "description": "Nómina de marzo",
        "callback_url": "http://testserver/callbacks/payout/simulator",
        **(account if network is PayoutNetwork.BANK else key),
    }
    return PayoutRequest(**{**values, **changes})


def topup(**changes: Any) -> TopupRequest:
    """An ordinary request: 10,000 COP for Lucía's phone."""
    values: dict[str, Any] = {
        "reference": ids.new_id("tor"),
        "payment_id": ids.new_id("top"),
        "operator_code": "claro",
        "phone": "3001234567",
        "amount": Decimal(10000),
        "callback_url": "http://testserver/callbacks/topup/simulator",
    }
    return TopupRequest(**{**values, **changes})


def bill(**changes: Any) -> BillRequest:
    """An ordinary request: Lucía pays her first bill, as much as it says, at agreement 1001."""
    values: dict[str, Any] = {
        "reference": ids.new_id("bor"),
        "payment_id": ids.new_id("bil"),
        "agreement_code": "1001",
        "bill_reference": "55512345",
        "code_record": "",
        "amount": Decimal(50000),
        "callback_url": "http://testserver/callbacks/bill/simulator",
        **changes,
    }
    owed = fake_billers.bills(values["agreement_code"], values["bill_reference"])
    if owed:
        values |= {"code_record": owed[0].code_record, "amount": owed[0].amount}
    return BillRequest(**{**values, **changes})
