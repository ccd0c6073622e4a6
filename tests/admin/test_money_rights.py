"""What lets money out of a merchant is in no role: one administrator cannot empty an account."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from merchants import services
from merchants.models import ApiKey, Merchant
from payments.console import roles
from payments.console.roles import ADMINISTRATOR
from tests.admin.conftest import REASON, Console, person, url

pytestmark = pytest.mark.django_db
NO_ROWS = {
    f"{rows}-{form}_FORMS": "0"
    for rows in ("api_keys", "memberships")
    for form in ("TOTAL", "INITIAL")
}


@pytest.fixture
def chief(db: None) -> Console:
    """An administrator who is no superuser."""
    return person("inés", ADMINISTRATOR)


def set_to(merchant: Merchant, **values: Any) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(**values)


def change(browser: Console, merchant: Merchant, **form: Any) -> Any:
    """The form as it stands, but for what is given; None takes a box's mark away."""
    merchant.refresh_from_db()
    kept = {
        "name": merchant.name,
        "currencies": ["COP"],
        "methods": ["PSE"],
        "payout_approval_above": "",
    }
    if merchant.payout_approval_above is not None:
        kept["payout_approval_above"] = str(merchant.payout_approval_above)
    kept |= {name: "on" for name in services.OUTGOING if getattr(merchant, name)}
    sent = {name: value for name, value in {**kept, **form}.items() if value is not None}
    answer = browser.post(
        url("merchants_merchant_change", merchant.pk), {**sent, **NO_ROWS, "reason": REASON}
    )
    merchant.refresh_from_db()
    return answer


def test_an_administrator_issues_keys_that_create_no_payouts(
    chief: Console, merchant: Merchant
) -> None:
    issue = ("merchants_merchant_issue_key", merchant.pk)
    assert 'value="payout:create"' not in chief.page(*issue).content.decode()
    refused = chief.submit(*issue, label="x", permissions=["payout:create"])
    assert refused.status_code == 400
    assert not ApiKey.objects.exists()
    assert "sk_" in chief.submit(*issue, label="Tienda").content.decode()
    assert ApiKey.objects.get().permissions == []


def test_an_administrator_issues_a_key_that_manages_webhook_endpoints(
    chief: Console, merchant: Merchant
) -> None:
    chief.submit("merchants_merchant_issue_key", merchant.pk, permissions=["webhook:manage"])
    assert ApiKey.objects.get().permissions == ["webhook:manage"]


def test_a_superuser_issues_a_key_for_payouts(console: Console, merchant: Merchant) -> None:
    issue = ("merchants_merchant_issue_key", merchant.pk)
    assert console.submit(*issue, permissions=["payout:create"]).status_code == 200
    assert ApiKey.objects.get().permissions == ["payout:create"]


@pytest.mark.parametrize("above", ["", "50001"])
def test_an_administrator_neither_raises_nor_removes_the_rule(
    chief: Console, merchant: Merchant, above: str
) -> None:
    set_to(merchant, payout_approval_above=50_000, payout_approval_set_by="ana")
    answer = change(chief, merchant, payout_approval_above=above)
    assert answer.status_code == 200
    assert "payout_approval_above" in answer.context["adminform"].form.errors
    assert merchant.payout_approval_above == 50_000
    assert merchant.payout_approval_set_by == "ana"


@pytest.mark.parametrize("before", [None, 50_000])
def test_an_administrator_lowers_the_rule_or_sets_the_first(
    chief: Console, merchant: Merchant, before: int | None
) -> None:
    set_to(merchant, payout_approval_above=before)
    assert change(chief, merchant, payout_approval_above="1000").status_code == 302
    assert (merchant.payout_approval_above, merchant.payout_approval_set_by) == (1000, "inés")


@pytest.mark.parametrize("product", services.OUTGOING)
def test_an_administrator_switches_products_off_and_not_on(
    chief: Console, console: Console, merchant: Merchant, product: str
) -> None:
    assert change(chief, merchant, **{product: None}).status_code == 302
    assert not getattr(merchant, product)
    answer = change(chief, merchant, **{product: "on"})
    assert list(answer.context["adminform"].form.errors) == [product]
    assert not getattr(merchant, product)
    assert change(console, merchant, **{product: "on"}).status_code == 302
    assert getattr(merchant, product)


def test_an_administrator_makes_a_merchant_without_payouts(chief: Console) -> None:
    form = {
        "name": "Panadería Ñandú",
        "currencies": ["COP"],
        "methods": ["PSE"],
        "payout_approval_above": "0",
    }
    refused = chief.submit("merchants_merchant_add", **form, topup_enabled="on")
    assert list(refused.context["adminform"].form.errors) == ["topup_enabled"]
    assert not Merchant.objects.exists()
    assert chief.submit("merchants_merchant_add", **form).status_code == 200
    made = Merchant.objects.get()
    assert not any(getattr(made, product) for product in services.OUTGOING)


def test_the_service_asks_again_under_its_lock(merchant: Merchant) -> None:
    """Another operator lowered the rule after this form was checked."""
    set_to(merchant, payout_approval_above=10)
    with pytest.raises(PermissionDenied):
        services.update_merchant(
            merchant=merchant,
            actor="inés",
            reason=REASON,
            may_unlock_outgoing=False,
            payout_approval_above=Decimal(50_000),
        )
    merchant.refresh_from_db()
    assert merchant.payout_approval_above == 10


def test_no_role_lets_money_out(db: None, ana: User) -> None:
    right = "merchants.outgoing_merchant"
    assert right in roles.OWN
    assert not any(right in rights for rights in roles.ROLES.values())
    assert ana.has_perm(right)
