"""Payouts of a merchant over an account that pays by files."""

import pytest

from merchants.models import Merchant
from payments.payout.services import bank_codes
from tests.admin.conftest import ana, console  # noqa: F401
from tests.payment_files.flow import ACCOUNT
from tests.rails.accounts import enter, route
from tests.rails.pabfile_bank import CREDENTIALS
from tests.support.funds import fund


@pytest.fixture
def account(merchant: Merchant) -> str:
    enter(ACCOUNT, "pabfile", "", CREDENTIALS)
    bank_codes.load_codes(account=ACCOUNT, actor="olga")
    route("payout", ACCOUNT)
    fund(merchant, 10_000_000)
    return ACCOUNT
