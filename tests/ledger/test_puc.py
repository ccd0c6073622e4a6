"""Which account of the Colombian chart an export has."""

import re

import pytest

from payments.core.models import AuditEntry
from payments.ledger.models import Account, Cost
from payments.ledger.services import puc
from payments.ledger.services.puc import PucAccount, PucTable

pytestmark = pytest.mark.django_db
SAVINGS = PucAccount("112005", "Cuentas de ahorro, bancos")


def change(target: str, account: PucAccount = SAVINGS) -> None:
    puc.change(target=target, puc=account, actor="ana", reason="Our accountant's chart")


def test_every_kind_and_every_cost_has_an_account() -> None:
    table = PucTable.load()
    found = [table.of(kind) for kind in Account.Kind]
    found += [table.of(Account.Kind.COSTS, cost) for cost in Cost]
    assert all(re.fullmatch(r"[1-58]\d{3,5}", one.code) and one.name for one in found)


def test_withholdings_are_advances_of_taxes_and_no_expenses() -> None:
    table = PucTable.load()
    withheld = [cost for cost in Cost if cost.endswith("withholding")]
    assert len(withheld) == 3
    assert {table.of("costs", cost).code[:4] for cost in withheld} == {"1355"}


def test_the_accountant_changes_one_account_or_all_of_a_kind() -> None:
    change("bank:main")
    assert PucTable.load().of("bank", "main") == SAVINGS
    assert PucTable.load().of("bank", "other").code == "111005"
    change("bank", PucAccount("11100501", "Bancolombia"))
    assert PucTable.load().of("bank", "other").code == "11100501"
    assert PucTable.load().of("bank", "main") == SAVINGS, "its own choice counts more"


def test_a_choice_for_all_costs_leaves_costs_with_an_account_of_their_own() -> None:
    change("costs", PucAccount("530599", "Otros"))
    table = PucTable.load()
    assert table.of("costs", "other").code == "530599"
    assert table.of("costs", "income_withholding").code == "135515"


def test_a_change_is_in_the_audit_log() -> None:
    change("bank")
    change("bank", PucAccount("111005", "Bancos"))
    rows = AuditEntry.objects.filter(action="ledger.puc_changed").order_by("pk")
    assert [row.details["code"] for row in rows] == ["112005", "111005"]
    assert rows[0].actor == "ana"


def test_account_of_a_later_release_has_that_of_its_kind() -> None:
    assert PucTable.load().of("costs", "new") == PucTable.load().of("costs")
