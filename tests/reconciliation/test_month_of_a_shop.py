"""A month of a shop, made by a program that knows no parser, through the whole service.

About 60 orders per format here; 2,000 with FAULTS_SCALE=1 (`make faults`). SHOP_SEEDS gives other
seeds, such as SHOP_SEEDS=11,12. The figures of a run are printed.
"""

import json
import os
import resource
from dataclasses import asdict
from datetime import timedelta

import pytest
from django.db import connection

from tests.payment_files.pab_validator import problems
from tests.reconciliation.month_books import faults_of_books, faults_of_ends
from tests.reconciliation.month_days import faults_of_days, reconcile
from tests.reconciliation.month_truth import Compared, compare
from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.deliveries import WRITERS
from tests.reconciliation.shop.month import make_month
from tests.reconciliation.told_decisions import decide_all
from tests.reconciliation.told_service import ToldService
from tests.support.fixtures import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SCALE = float(os.environ.get("FAULTS_SCALE", "0.03"))
SEEDS = [int(seed) for seed in os.environ.get("SHOP_SEEDS", "7").split(",")]
# Of all lines, also those that only a person can know: money of strangers, the owner's movements.
LEAST_SHARE = 0.95


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("format", WRITERS)
def test_month_is_explained_to_the_peso(api: ApiClient, format: str, seed: int) -> None:
    told = ToldService(api, make_month(seed, int(2_000 * SCALE)), format)
    codes: list[int] = []
    missing = told.month.missing_day
    look_at = moment(missing, 24 * 5 + 23)
    told.looks.append((look_at, lambda: codes.append(reconcile(missing, "main")[0])))
    told.tell()
    found = compare(told)
    _print(told, found)

    assert told.errors == []
    assert found.missing == []
    assert found.wrong == []
    assert found.share >= LEAST_SHARE
    assert faults_of_books(told) == []
    assert [problems(file) for file in told.files] == [[]] * len(told.month.batches)
    assert codes == [1]  # of the missing day, before its statement came
    with told.at(moment(told.month.days[-1], 24) + timedelta(days=1)):
        _decide_the_rest(told)
    # The test is one transaction: at its end the triggers of the whole month are one statement.
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _decide_the_rest(told: ToldService) -> None:
    """A person takes the right candidates; then every peso is explained."""
    decided = decide_all(told)
    told.run_tasks()
    print(decided)

    assert decided.without_door == [], decided
    assert compare(told).wrong == []
    assert faults_of_books(told) == []
    assert faults_of_ends(told) == []
    assert (faults := faults_of_days(told)) == [], "\n".join(faults)


def _print(told: ToldService, found: Compared) -> None:
    figures = {
        "format": told.format,
        "seed": told.month.seed,
        "orders": len(told.month.orders),
        "share": round(found.share, 4),
        **asdict(found),
        **asdict(told.measured),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print("\nMONTH", json.dumps(figures, default=str))
