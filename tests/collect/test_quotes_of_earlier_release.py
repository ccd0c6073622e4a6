"""Charges that the release before this one made, which kept one moment for all that it promised.

It may still run beside this one while the service is updated.
"""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge
from tests.support.fixtures import ApiClient
from tests.support.quotes import (
    PRICE,
    WHOLE,
    after_the_quote,
    confirm,
    credited,
    deposit,
    quoted_bitcoin,
    set_price,
)

pytestmark = pytest.mark.django_db
DUST = Decimal("0.00000001")
HALF = WHOLE / 2


@pytest.fixture
def charge(api: ApiClient) -> Charge:
    return quoted_bitcoin(api)


class TestChargesOfTheReleaseBefore:
    """It kept one moment for the whole charge, and may still run beside this one."""

    def as_before(self, charge: Charge, **changes: Any) -> None:
        Charge.objects.filter(pk=charge.pk).update(
            **{"in_time_received": 0, "in_time_seen": 0, "in_time_at": None, "worth": 0, **changes}
        )

    @pytest.mark.parametrize("seen", ["confirmed", "unconfirmed"])
    def test_what_it_had_seen_keeps_the_quote(
        self, charge: Charge, merchant: Merchant, seen: str
    ) -> None:
        deposit(charge, HALF, seen=seen)
        self.as_before(charge)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            deposit(charge, HALF, seen=seen)
            if seen == "unconfirmed":
                confirm(charge)
            assert credited(charge) == 75_037_500

    def test_dust_that_it_had_seen_keeps_none(self, charge: Charge) -> None:
        deposit(charge, DUST, seen="unconfirmed")
        self.as_before(charge)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            deposit(charge, WHOLE)
            assert 50_025_000 <= credited(charge) <= 50_025_004

    def test_what_it_saw_too_late_has_none(self, charge: Charge) -> None:
        with after_the_quote(charge):
            deposit(charge, HALF, seen="unconfirmed")
            self.as_before(charge, late_seen=None)
            set_price(PRICE // 2)
            confirm(charge)
            assert credited(charge) == 25_012_500
