"""What rails keep for themselves: kept with the payment, shown to operators alone."""

from dataclasses import replace
from decimal import Decimal

import pytest

from payments.collect.models import Charge
from payments.collect.services.charges import charge_updates
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.providers import registry
from payments.providers.ports import Known, TaxLine
from payments.providers.wompi_payouts import fees
from tests.admin.conftest import Console, ana, console  # noqa: F401
from tests.rails.accounts import route, wompi_payouts
from tests.support.charges import create, start
from tests.support.factories import payout_body
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
ACCOUNT = "wompi-payouts-main"
IVA, GMF = {"name": "IVA", "amount": "228"}, {"name": "GMF", "amount": "400"}


@pytest.fixture
def completed(api, merchant, catalogues):
    """A payout of 100,000 whose rail takes a fee of 1,200."""
    fund(merchant, 10_000_000)
    with wompi_payouts(settle_seconds=None, fee_in_cents=120_000) as server:
        route("payout", ACCOUNT)
        load_codes(account=ACCOUNT, actor="olga")
        api.post("/payout", payout_body(amount=100_000), headers={"Idempotency-Key": "fee-1"})
        payout = Payout.objects.get()
        engine.process_due(now=clock.now())
        payout.refresh_from_db()
        assert payout.provider_fee is None
        reference = payout.provider_reference.replace("_", "-")
        server.control.call("POST", f"transactions/{reference}", {"status": "APPROVED"})
        engine.query(payment=payout, now=clock.now())
        payout.refresh_from_db()
        assert payout.status == "COMPLETED"
        yield payout


def test_fee_and_taxes_of_a_payout_are_kept(completed):
    assert completed.provider_fee == 1200
    assert completed.provider_taxes == [IVA, GMF]


def test_operators_see_them_and_the_api_does_not(completed, api, console):  # noqa: F811
    page = console.page("payout_payout_change", completed.pk).content.decode()
    assert "1.200 COP" in page
    assert "IVA 228 COP · GMF 400 COP" in page
    assert b"1200" not in api.get(f"/payout/{completed.pk}").content


def test_report_without_a_fee_leaves_what_is_known(completed):
    known = Known(reference=completed.provider_reference)
    update = registry.outgoing("payout").get(ACCOUNT).query(known)
    for told in (replace(update, provider_fee=None, provider_taxes=()), update):
        engine.apply_update(provider=ACCOUNT, update=told, now=clock.now())
        completed.refresh_from_db()
        assert (completed.provider_fee, completed.provider_taxes) == (1200, [IVA, GMF])


def test_fee_of_a_charge_is_kept(api, console):  # noqa: F811
    charge = start(create(api))
    update = registry.PAYIN.get(charge.provider).query(Known(reference=charge.pk))
    taxes = (TaxLine(name="IVA", amount=Decimal("142.5")),)
    told = replace(update, provider_fee=Decimal(750), provider_taxes=taxes)
    charge_updates.apply_charge_update(provider=charge.provider, update=told, now=clock.now())
    known = Charge.objects.get()
    assert (known.provider_fee, known.provider_taxes) == (750, [{"name": "IVA", "amount": "142.5"}])
    page = console.page("collect_charge_change", known.pk).content.decode()
    assert "IVA 142,50 COP" in page


@pytest.mark.parametrize(
    "fee",
    [
        None,
        [],
        {},
        {"feeInCents": "120000"},
        {"feeInCents": -1},
        {"feeInCents": True},
        {"feeInCents": 10**30},
    ],
)
def test_fee_of_another_shape_is_not_known(fee):
    assert fees.read(fee) == {}
