"""The alerts and the dashboard speak of figures that exist."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from config.devstack.options import PROJECT
from config.metrics.collector import circuits
from tests.support.charges import create
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
DEPLOY = PROJECT / "deploy"
_NAME = re.compile(r"\bpasarela_[a-z0-9_]+")
_SELECTOR = re.compile(r"(pasarela_[a-z0-9_]+)\{([^}]*)\}")


def expressions() -> list[str]:
    rules = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())
    panels = json.loads((DEPLOY / "grafana/dashboard.json").read_text())["panels"]
    found = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    found += [target["expr"] for panel in panels for target in panel.get("targets", [])]
    scaling = (DEPLOY / "kubernetes/autoscaling.yaml").read_text()
    return [*found, *_NAME.findall(scaling)]


@pytest.fixture
def exposed(api: ApiClient, settings: Any) -> str:
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = "a-token-of-prometheus", 0
    create(api)
    bearer = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
    return Client().get("/metrics", headers=bearer).content.decode()


def test_alerts_and_dashboards_use_only_metrics_that_are_exposed(exposed: str) -> None:
    existing = set(re.findall(r"^# HELP (\S+)", exposed, re.M))
    existing |= {f"pasarela_http_request_seconds_{part}" for part in ("bucket", "count")}
    named = {name for text in expressions() for name in _NAME.findall(text)}
    assert len(named) > 15
    assert named <= existing


def test_every_figure_is_shown(exposed: str) -> None:
    named = {name for text in expressions() for name in _NAME.findall(text)}
    existing = set(re.findall(r"^# HELP (\S+)", exposed, re.M))
    base = {name.removesuffix("_bucket").removesuffix("_count") for name in named}
    assert existing - base == set()


def test_alerts_and_dashboards_use_only_labels_that_are_exposed(exposed: str) -> None:
    """A rule about a label that no metric has would be silent for ever."""
    labels = {
        "pasarela_http_request_seconds": {"method", "route", "status", "le"},
        "pasarela_webhook_attempts_5m": {"outcome"},
    }
    for name, inside in re.findall(r"^(pasarela_\w+)\{([^}]*)\}", exposed, re.M):
        base = re.sub("_(bucket|count|sum)$", "", name)
        labels.setdefault(base, set()).update(re.findall(r'(\w+)="', inside))
    for text in expressions():
        for name, inside in _SELECTOR.findall(text):
            base = re.sub("_(bucket|count|sum)$", "", name)
            assert set(re.findall(r"(\w+)[!=]~?=?", inside)) <= labels[base], text


def test_every_alert_has_a_severity_and_its_place_in_the_manual() -> None:
    manual = (PROJECT / "docs/operations/incidents.md").read_text()
    groups = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())["groups"]
    for rule in (rule for group in groups for rule in group["rules"]):
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert f"`{rule['alert']}`" in manual, rule["alert"]


def test_scanners_are_those_of_the_beat_schedule(exposed: str, settings: Any) -> None:
    scanners = set(re.findall(r'pasarela_queue_age_seconds\{scanner="([^"]+)"', exposed))
    assert scanners <= set(settings.CELERY_BEAT_SCHEDULE)
    due = {name for name in settings.CELERY_BEAT_SCHEDULE if not name.startswith("heartbeat-")}
    # The closing is seen in the check of the settlements, the reading of balances in their age,
    # and that of chains, too.
    # No payment waits for what cleans up. Balances of system accounts are exact without totals.
    seen_elsewhere = {"settlement-close", "rail-balances", "chains-scan"}
    cleaning = {"api-log-delete", "sessions-forget", "exports-forget", "bank-uploads-forget"}
    cleaning |= {
        "history-months",
        "mail-delete",
        "alerts-scan",
        "payout-batches-forget",
        "webhooks-forget",
    }
    # What these would do late is a difference of reconciliation, and its age is a figure.
    seen_elsewhere |= {"reconcile-days", "disbursements-late"}
    assert due - scanners == seen_elsewhere | cleaning | {"ledger-totals"}


@pytest.mark.django_db
def test_circuits_are_those_of_the_products() -> None:
    from payments.bills.services.engine import PRODUCT as BILL
    from payments.collect.services.refunds.refund_engine import PRODUCT as REFUND
    from payments.payout.services.engine import PRODUCT as PAYOUT
    from payments.topup.services.engine import PRODUCT as TOPUP

    products = (PAYOUT, TOPUP, BILL, REFUND)
    assert set(circuits()) >= {product.circuit("simulator") for product in products}


def test_the_dashboard_overlaps_nowhere() -> None:
    panels = json.loads(Path(DEPLOY / "grafana/dashboard.json").read_text())["panels"]
    cells: set[tuple[int, int]] = set()
    for place in (panel["gridPos"] for panel in panels):
        assert place["x"] + place["w"] <= 24
        mine = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & mine
        cells |= mine
