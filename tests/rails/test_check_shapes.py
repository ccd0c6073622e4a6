"""A check of an account says what it found, whatever shape the rail's answers have."""

import pytest

from payments.core import clock
from payments.providers import http
from payments.providers.wompi.client import WompiClient
from payments.rails.models import ProviderAccount
from payments.rails.services import checks
from tests.rails.accounts import WOMPI_CREDENTIALS, enter

pytestmark = pytest.mark.django_db


def found(monkeypatch, merchant, banks):
    """The findings for these answers of Wompi."""

    def answer(_client, path, _operation, **_more):
        data = banks if "institutions" in path else merchant
        return http.RailAnswer(status=200, body={"data": data})

    monkeypatch.setattr(WompiClient, "_get", answer)
    monkeypatch.setattr(WompiClient, "transactions_of", lambda *_given: [])
    enter("wompi-main", "wompi", "", WOMPI_CREDENTIALS)
    lines = checks.check_account(account=ProviderAccount.objects.get(), now=clock.now())
    return {line.subject: line.finding for line in lines}


@pytest.mark.parametrize("methods", [None, 7, "PSE", {"PSE": 1}, True])
def test_methods_of_another_shape_are_not_checked(monkeypatch, methods):
    merchant = {"active": True, "name": "Tienda", "accepted_payment_methods": methods}
    lines = found(monkeypatch, merchant, [])
    assert lines["methods"] == "UNCHECKED"
    assert lines["private_key"] == "OK"


@pytest.mark.parametrize("bank", [None, 7, [], {"financial_institution_code": "1"}])
def test_banks_of_another_shape_fail_the_check(monkeypatch, bank):
    merchant = {"active": True, "name": "Tienda", "accepted_payment_methods": [None, "PSE"]}
    lines = found(monkeypatch, merchant, [bank])
    assert lines["methods"] == "OK"
    assert lines["private_key"] == "FAILED"
