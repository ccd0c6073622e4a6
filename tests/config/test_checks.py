"""`check --deploy` refuses what only a bare machine may have."""

import os
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from django.core.checks.registry import registry

from config.checks import impossible_values, production_settings

GOOD = {
    "PRODUCTION": True,
    "USES_GENERATED_KEYS": False,
    "USES_EMBEDDED_DATABASE": False,
    "USES_EMBEDDED_REDIS": False,
    "WEBHOOK_ALLOW_PRIVATE": False,
    "RAIL_ALLOW_PRIVATE": False,
    "PUBLIC_URL": "https://pagos.example",
    "DEBUG": False,
    "CONSOLE_SECOND_FACTOR": True,
    "PAYIN_PROVIDER": "simulator",
    "PAYOUT_PROVIDER": "simulator",
    "TOPUP_PROVIDER": "simulator",
    "BILLS_PROVIDER": "simulator",
    "REFUND_PROVIDER": "simulator",
    "SANDBOX": True,
    "SIMULATOR_CALLBACK_SECRET": "a secret of its own",
}
PROVIDERS = (
    "PAYIN_PROVIDER",
    "PAYOUT_PROVIDER",
    "TOPUP_PROVIDER",
    "BILLS_PROVIDER",
    "REFUND_PROVIDER",
)


def only(simulated: str) -> dict[str, Any]:
    """Real money, and one provider that moves none."""
    others = {name: "" for name in PROVIDERS if name != simulated}
    return {"SANDBOX": False, "RATE_MAX_AGE_SECONDS": 60, **others}


def problems(settings: Any, **changes: Any) -> set[str]:
    for name, value in {**GOOD, **changes}.items():
        setattr(settings, name, value)
    return {error.id.rpartition("E")[2] for error in production_settings(None)}


def test_a_hosted_sandbox_passes(settings: Any) -> None:
    assert problems(settings) == set()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"PRODUCTION": False}, "001"),
        ({"USES_GENERATED_KEYS": True}, "002"),
        ({"USES_EMBEDDED_DATABASE": True}, "003"),
        ({"USES_EMBEDDED_REDIS": True}, "004"),
        (only("PAYIN_PROVIDER"), "011"),
        (only("PAYOUT_PROVIDER"), "021"),
        (only("TOPUP_PROVIDER"), "041"),
        (only("BILLS_PROVIDER"), "051"),
        (only("REFUND_PROVIDER"), "061"),
        ({"WEBHOOK_ALLOW_PRIVATE": True}, "006"),
        ({"RAIL_ALLOW_PRIVATE": True}, "005"),
        ({"PUBLIC_URL": "http://pagos.example"}, "007"),
        ({"SIMULATOR_CALLBACK_SECRET": "simulator-callback-secret"}, "008"),
        ({"DEBUG": True}, "009"),
        ({"CONSOLE_SECOND_FACTOR": False}, "070"),
        ({"CONSOLE_IDLE_SECONDS": 0}, "071"),
        ({"AXES_FAILURE_LIMIT": 0}, "072"),
        ({"METRICS_TOKEN": "guess me"}, "080"),
        ({"COLLECT_FEE_RATE": Decimal(5)}, "030"),
        ({"CRYPTO_SPREAD": Decimal(-1)}, "031"),
        ({"CHARGE_RECONCILE_DELAYS": []}, "032"),
        ({"CHARGE_START_SECONDS": 0}, "037"),
        ({"CHARGE_START_SECONDS": 10, "CHARGE_SETTLING_SECONDS": 14}, "037"),
    ],
)
def test_each_development_default_is_refused(
    settings: Any, changes: dict[str, Any], expected: str
) -> None:
    assert problems(settings, **changes) == {expected}


def test_play_money_beside_a_real_provider(settings: Any) -> None:
    for tens, name in zip("12456", PROVIDERS, strict=True):
        assert problems(settings, **{name: "acme"}) == {f"0{tens}0", f"0{tens}2"}


def test_an_old_price_is_a_guess(settings: Any) -> None:
    assert "033" in problems(settings, SANDBOX=False, RATE_MAX_AGE_SECONDS=0)


@pytest.mark.parametrize(("minutes", "refused"), [(-5, True), (0, True), (1, False), (10, False)])
def test_a_day_is_not_closed_before_it_is_over(settings: Any, minutes: int, refused: bool) -> None:
    """Also where nothing is deployed: what is closed too early is never mended."""
    settings.SETTLEMENT_CLOSES_AFTER_MINUTES = minutes
    found = {error.id for error in impossible_values(None)}
    assert ("pasarela.E035" in found) is refused
    assert impossible_values in registry.get_checks()  # of every command


def test_a_statement_has_rows(settings: Any) -> None:
    settings.STATEMENT_PAGE_ROWS = 0
    assert [error.id for error in impossible_values(None)] == ["pasarela.E036"]


@pytest.mark.parametrize(("days", "refused"), [(0, False), (30, True), (180, False)])
def test_payers_are_not_forgotten_while_they_may_want_their_money(
    settings: Any, days: int, refused: bool
) -> None:
    settings.DATA_RETENTION_DAYS = days
    assert ([error.id for error in impossible_values(None)] == ["pasarela.E081"]) is refused


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prod", "Production", "staging", ""])
def test_a_misspelt_env_is_not_development(name: str) -> None:
    started = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env={**os.environ, "ENV": name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode != 0
    assert f"ENV must be development or production, not {name!r}." in started.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("env", "sandbox", "shown"),
    [
        ("production", "0", "900 0.01"),
        ("production", "1", "0 0"),
        ("development", "1", "0 0"),
    ],
)
def test_real_money_has_fresh_prices_and_a_spread(env: str, sandbox: str, shown: str) -> None:
    """A sandbox's prices never grow old, and cost nothing."""
    show = "import config.settings as s; print(s.RATE_MAX_AGE_SECONDS, s.CRYPTO_SPREAD)"
    done = subprocess.run(
        [sys.executable, "-c", show],
        env={**os.environ, "ENV": env, "SANDBOX": sandbox},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == shown


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"RATE_SOURCES": ["buda", "unknown"]}, "038"),
        (
            {"RATE_SOURCES": ["buda"], "SANDBOX": False, "RATE_SOURCE_URLS": {"buda": "http://x"}},
            "039",
        ),
        ({"RATE_FEED_SECONDS": 5, "RATE_SOURCE_TIMEOUT_SECONDS": 1}, "040"),
        ({"RATE_SOURCE_TIMEOUT_SECONDS": 31}, "041"),
        ({"RATE_SOURCE_PAIRS": {"buda": {"DOGE": "doge-cop"}}}, "042"),
    ],
)
def test_price_sources_are_checked(settings: Any, changes: dict[str, Any], problem: str) -> None:
    assert problem not in problems(settings)
    assert problem in problems(settings, **changes)
