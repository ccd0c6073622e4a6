"""A merchant that pays by file, and two people of its team."""

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console import roles
from tests.admin.conftest import ana  # noqa: F401
from tests.payout_batches import flow
from tests.support.funds import fund
from tests.support.merchant_staff import person_of


@pytest.fixture
def preparer(merchant: Merchant, ana: User) -> User:  # noqa: F811
    return person_of(merchant, flow.PREPARER, roles.MERCHANT_PREPARER)


@pytest.fixture
def approver(merchant: Merchant, preparer: User) -> User:
    return person_of(merchant, flow.APPROVER, roles.MERCHANT_APPROVER)


@pytest.fixture
def payer(merchant: Merchant, approver: User) -> Merchant:
    """Ten million pesos."""
    fund(merchant, 10_000_000)
    return merchant
