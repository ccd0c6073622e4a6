"""The audit log names the record of each row, and its details are words and amounts."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console.record_names import people_of
from payments.core import audit
from payments.core.models import AuditEntry
from payments.rates.models import ExchangeRate
from tests.admin.conftest import Console, url
from tests.support.merchant_staff import person_of

pytestmark = pytest.mark.django_db
LIST = "/admin/core/auditentry/"


def test_a_rate_with_the_number_of_a_person_is_not_called_by_the_persons_name(
    console: Console, ana: User, catalogues: None
) -> None:
    rate = ExchangeRate(pk=ana.pk)
    for subject in (rate, ana):
        audit.record(actor="beto", action="user.changed", subject=subject)
    people = people_of(AuditEntry.objects.all())
    assert list(people) == [("user", str(ana.pk))]
    rows = console.get(LIST).context["cl"].result_list
    page = console.get(LIST).context["cl"].model_admin
    shown = {row.subject_type: str(page.record(row)) for row in rows if row.actor == "beto"}
    assert "ana" in shown["user"]
    assert "ana" not in shown["exchangerate"]


def test_a_merchants_person_is_no_operator(console: Console, ana: User, merchant: Merchant) -> None:
    lucia = person_of(merchant, "lucia")
    people = people_of(
        AuditEntry(subject_type="user", subject_id=str(each.pk)) for each in (lucia, ana)
    )
    found = {each.name: each.is_of_merchant for each in people.values()}
    assert found == {"lucia": True, "ana": False}


def test_details_are_words_and_amounts(console: Console, merchant: Merchant) -> None:
    audit.record(
        actor="ana",
        action="merchant.changed",
        subject=merchant,
        tiers=[[Decimal(500_000), 1, None], [Decimal(5_000_000), 2, "luz"]],
        legal_name="Café Andino SAS",
        unknown_detail="x",
    )
    page = console.get(url("core_auditentry_change", AuditEntry.objects.latest("id").pk))
    shown = page.content.decode()
    assert "500.000 COP" in shown
    assert "5.000.000 COP" in shown
    assert "500000" not in shown
    assert "legal_name" not in shown
    assert "legal name:" not in shown
    assert "Unknown detail: x" in shown
