"""What operators do with settlements: look at days, make statements, set tax rules."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import AuditEntry
from payments.settlement import days
from payments.settlement.models import TaxRule
from tests.admin.conftest import Console, url
from tests.settlement.statement_files import check, rows_of
from tests.settlement.test_taxes import vat
from tests.support.settlement_days import MONDAY, TUESDAY, Till, at

pytestmark = pytest.mark.django_db


@pytest.fixture
def till(merchant: Merchant) -> Till:
    """Café Andino's."""
    return Till(merchant)


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


def today() -> Any:
    return days.day_of(clock.now())


def errors_of(asked: Any) -> list[str]:
    """What the form of a page says is wrong."""
    return [text for texts in asked.context_data["form"].errors.values() for text in texts]


def period(till: Till, **changes: Any) -> dict[str, Any]:
    return {
        "merchant": till.merchant.pk,
        "currency": "COPM",
        "first": MONDAY,
        "last": TUESDAY,
        "form": "page",
        **changes,
    }


def test_page_of_a_settlement_proves_that_its_sums_agree(console: Console, till: Till) -> None:
    vat()
    till.collect(at(MONDAY), base="238000", fee="119")
    row = till.close(MONDAY)
    listed = console.page("settlement_settlement_changelist").content.decode()
    for text in ("2 Mar 2026", "Café Andino", "238,119 COP", "100 COP", "19 COP"):
        assert text in listed, text
    page = console.page("settlement_settlement_change", row.pk)
    html = page.content.decode()
    assert "IVA" in html
    assert "2 Mar 2026 · Café Andino" in html
    taxes, proof = page.context_data["tables"]
    assert len(taxes["table"]["rows"]) == 2
    assert len(proof["table"]["rows"]) == 8
    assert all("Yes" in tie for *_, tie in proof["table"]["rows"])


def test_the_filters_of_the_list(console: Console, till: Till) -> None:
    till.collect(at(MONDAY))
    row = till.close(MONDAY)
    for query, found in (
        ({"currency": "COPM"}, True),
        ({"currency": "BTC"}, False),
        ({"merchant__id__exact": till.merchant.pk}, True),
        ({"date_from": "2026-03-02", "date_to": "2026-03-02"}, True),
        ({"date_from": "2026-03-03"}, False),
        ({"q": row.pk}, True),
        ({"q": till.merchant.name[:5].lower()}, True),
        ({"q": "stl_x"}, False),
    ):
        html = console.page("settlement_settlement_changelist", **query).content.decode()
        assert (url("settlement_settlement_change", row.pk) in html) is found, query


def test_a_figure_that_does_not_tie_is_seen(console: Console, till: Till) -> None:
    till.collect(at(MONDAY))
    row = till.close(MONDAY)
    till.collect(at(MONDAY, "12:00:01.000"), base="1", fee="0")
    page = console.page("settlement_settlement_change", row.pk)
    ties = [tie for *_, tie in page.context_data["tables"][-1]["table"]["rows"]]
    assert [("No" in tie) for tie in ties] == [True, False, True, False, False, False, True, False]


def test_the_statement_of_a_day(console: Console, till: Till, ana: Any) -> None:
    vat()
    till.collect(at(MONDAY), fee="119")
    row = till.close(MONDAY)
    page = console.get(url("settlement_settlement_statement_page", row.pk), follow=True)
    html = page.content.decode()
    assert page.status_code == 200
    # The button to print is the only script that may run.
    scripts = re.findall(r"script-src ([^;]*)", page.headers["Content-Security-Policy"])
    assert [source.startswith("'sha256-") for source in scripts[0].split()] == [True]
    assert "IVA" in html
    assert "50,000" in html
    file = console.get(url("settlement_settlement_statement_csv", row.pk), follow=True)
    assert "Payment of an order" in b"".join(file.streaming_content).decode()
    audits = AuditEntry.objects.filter(action="statement.exported").order_by("id")
    assert [(audit.actor, audit.subject_id) for audit in audits] == [
        ("ana", till.merchant.pk),
        ("ana", till.merchant.pk),
    ]
    assert audits[1].details == {
        "currency": "COPM",
        "first": "2026-03-02",
        "last": "2026-03-02",
        "form": "lines-csv",
    }


def test_the_statement_of_a_period(console: Console, till: Till) -> None:
    till.collect(at(MONDAY))
    till.collect(at(TUESDAY))
    asked = console.submit("settlement_settlement_period", **period(till, form="csv"))
    assert asked.status_code == 302
    rows = rows_of(b"".join(console.get(asked.url).streaming_content))
    check(rows)
    assert len(rows) == 4
    row = till.close(MONDAY)
    prefilled = console.page("settlement_settlement_period_of", row.pk).content.decode()
    assert till.merchant.pk in prefilled
    assert "2026-03-01" in prefilled


@pytest.mark.parametrize(
    "changes",
    [
        {"merchant": "mer_unknown"},
        {"currency": "COP"},
        {"first": TUESDAY, "last": MONDAY},
        {"last": "2999-01-01"},
        {"first": "yesterday"},
        {"form": "pdf"},
    ],
    ids=str,
)
def test_a_period_that_makes_no_sense(
    console: Console,
    till: Till,
    changes: dict[str, Any],
) -> None:
    asked = console.submit("settlement_settlement_period", **period(till, **changes))
    assert asked.status_code == 400
    address = url("settlement_settlement_statement")
    back = console.get(address, period(till, **changes), follow=True)
    assert back.redirect_chain == [(url("settlement_settlement_changelist"), 302)]
    (said,) = back.context["messages"]
    assert (said.level_tag, "no statement" in said.message) == ("error", True)
    assert next(iter(errors_of(asked))) in said.message
    assert not AuditEntry.objects.filter(action="statement.exported").exists()


def test_statements_are_for_those_who_may_look(
    clerk: Console,
    visitor: Console,
    till: Till,
) -> None:
    till.collect(at(MONDAY))
    row = till.close(MONDAY)
    address = url("settlement_settlement_statement")
    assert clerk.get(address, period(till)).status_code == 200
    assert clerk.post(address, period(till)).status_code == 405
    assert clerk.page("settlement_settlement_statement_page", row.pk).status_code == 302
    for browser in (visitor, Client()):
        assert "login" in browser.get(address, period(till)).url
    from django.contrib.auth.models import User

    without_role = Client()
    without_role.force_login(User.objects.create_user("dora", password="x", is_staff=True))
    assert without_role.get(address, period(till)).status_code == 403
    for name in ("statement_page", "statement_csv", "period_of"):
        assert without_role.get(url(f"settlement_settlement_{name}", row.pk)).status_code == 403
    assert without_role.get(url("settlement_settlement_period")).status_code == 403


def test_a_tax_rule_is_added_and_ended(console: Console, till: Till) -> None:
    form = {"name": "IVA", "kind": "INCLUDED", "rate": "19", "valid_from": today()}
    shown = console.page("settlement_taxrule_add").context["form"]
    choices = dict(shown.fields["merchant"].widget.choices)
    assert choices == {"": "All merchants", till.merchant.pk: till.merchant.name}
    assert console.submit("settlement_taxrule_add", **form).status_code == 302
    rule = TaxRule.objects.get()
    assert (rule.merchant, rule.valid_to, f"{rule}") == (None, None, "IVA 19%")
    assert "all merchants" in console.page("settlement_taxrule_changelist").content.decode()
    again = console.submit("settlement_taxrule_add", **form)
    assert again.status_code == 400
    assert "end it first" in again.content.decode()
    own = console.submit("settlement_taxrule_add", **form, merchant=till.merchant.pk)
    assert own.status_code == 302
    last = today() + timedelta(days=3)
    assert console.submit("settlement_taxrule_end", rule.pk, valid_to=last).status_code == 302
    rule.refresh_from_db()
    assert rule.valid_to == last
    actions = AuditEntry.objects.filter(actor="ana").order_by("id").values_list("action", flat=True)
    assert list(actions) == ["tax_rule.added", "tax_rule.added", "tax_rule.ended"]


@pytest.mark.parametrize(
    "changes",
    [
        {"rate": "100"},
        {"rate": "-0.1"},
        {"rate": "x"},
        {"name": ""},
        {"kind": "OTHER"},
        {"merchant": "mer_unknown"},
        {"valid_from": "2020-01-01"},
        {"valid_to": "2020-01-01"},
        {"reason": ""},
    ],
    ids=str,
)
def test_a_rule_that_makes_no_sense(
    console: Console,
    changes: dict[str, str],
) -> None:
    form = {"name": "IVA", "kind": "INCLUDED", "rate": "19", "valid_from": today(), **changes}
    assert console.submit("settlement_taxrule_add", **form).status_code == 400
    assert not TaxRule.objects.exists()


def test_rules_are_not_for_everyone(clerk: Console) -> None:
    rule = vat()
    assert clerk.page("settlement_taxrule_change", rule.pk).status_code == 200
    assert clerk.page("settlement_taxrule_add").status_code == 403
    assert clerk.page("settlement_taxrule_end", rule.pk).status_code == 403
