"""System checks: `check --deploy` refuses development defaults in production."""

from collections.abc import Iterator, Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from payments.core.products import products
from payments.providers import registry

# Refunds, late money and disputes still need the payer.
LEAST_RETENTION_DAYS = 180
# Disputes come for months; who approved what is asked for longer.
LEAST_HISTORY_MONTHS = {"WEBHOOK_HISTORY_MONTHS": 3, "AUDIT_MONTHS": 12}


@register(Tags.security, deploy=True)
def production_settings(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    return [Error(text, id=f"pasarela.E{number:03d}") for number, text in _problems()]


@register()
def impossible_values(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    """Values that are wrong in every environment, so every command refuses them."""
    return [Error(text, id=f"pasarela.E{number:03d}") for number, text in _impossible()]


def _impossible() -> Iterator[tuple[int, str]]:
    if settings.SETTLEMENT_CLOSES_AFTER_MINUTES < 1:
        # A day that is closed before its end cannot be opened again.
        yield 35, "SETTLEMENT_CLOSES_AFTER_MINUTES must be at least 1."
    if 0 < settings.DATA_RETENTION_DAYS < LEAST_RETENTION_DAYS:
        yield 81, f"DATA_RETENTION_DAYS must be 0 or at least {LEAST_RETENTION_DAYS}."
    for name, least in LEAST_HISTORY_MONTHS.items():
        if 0 != getattr(settings, name) < least:
            yield 82, f"{name} must be 0 or at least {least}."
    if not 1 <= settings.HISTORY_MONTHS_AHEAD <= 24:
        yield 83, "HISTORY_MONTHS_AHEAD must be from 1 to 24."
    if settings.STATEMENT_PAGE_ROWS < 1:
        yield 36, "STATEMENT_PAGE_ROWS must be at least 1."


def _problems() -> Iterator[tuple[int, str]]:
    if not settings.PRODUCTION:
        yield 1, "ENV is not production."
    if settings.USES_GENERATED_KEYS:
        yield 2, "SECRET_KEY and ENCRYPTION_KEYS must be given; generated keys are in use."
    if settings.USES_EMBEDDED_DATABASE:
        yield 3, "DATABASE_URL must be given; the embedded PostgreSQL is for development."
    if settings.USES_EMBEDDED_REDIS:
        yield 4, "REDIS_URL must be given; the embedded Valkey is for development."
    if settings.WEBHOOK_ALLOW_PRIVATE:
        yield 6, "WEBHOOK_ALLOW_PRIVATE lets webhooks reach the private network."
    if settings.RAIL_ALLOW_PRIVATE:
        yield 5, "RAIL_ALLOW_PRIVATE lets live accounts lead to a fake rail."
    if not settings.PUBLIC_URL.startswith("https://"):
        yield 7, "PUBLIC_URL must begin with https://."
    if settings.DEBUG:
        yield 9, "DEBUG must be off: it shows tracebacks and settings to every visitor."
    if not settings.CONSOLE_SECOND_FACTOR:
        yield 70, "CONSOLE_SECOND_FACTOR must be on: a password alone must not open the console."
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 16:
        yield 80, "METRICS_TOKEN must have at least 16 characters: it protects business figures."
    if settings.EMAIL_URL and settings.MAIL_FROM.endswith("@localhost>"):
        yield 90, "MAIL_FROM must be given: with EMAIL_URL, mails need a sender that exists."
    yield from _provider_problems()
    yield from _rate_source_problems()
    yield from _figure_problems()


def _provider_problems() -> Iterator[tuple[int, str]]:
    """Play money and real money never share a ledger: a sandbox has simulators only."""
    numbered: list[tuple[int, registry.Adapters[object]]] = [
        (10, registry.PAYIN),
        *((product.check_id, registry.outgoing(product.name)) for product in products()),
    ]
    rails = registry.rails()
    for number, adapters in numbered:
        name = adapters.setting
        provider = getattr(settings, name)
        rail = rails.get(provider)
        simulated = rail is not None and rail.is_simulated
        if provider and (rail is None or adapters.name not in rail.adapters):
            yield number, f"{name}={provider} is not a known provider."
        if simulated and not settings.SANDBOX:
            text = f"{name} is the simulator, which moves no real money, but SANDBOX is off."
            yield number + 1, text
        if settings.SANDBOX and not simulated:
            text = f"SANDBOX is on and gives away play money, but {name} moves real money."
            yield number + 2, text
    if settings.SANDBOX and settings.SIMULATOR_CALLBACK_SECRET == "simulator-callback-secret":
        yield 8, "SIMULATOR_CALLBACK_SECRET has its published default."


def _rate_source_problems() -> Iterator[tuple[int, str]]:
    for name in settings.RATE_SOURCES:
        if name not in settings.RATE_SOURCE_URLS:
            yield 38, f"RATE_SOURCES: {name} is not a known source."
        elif not settings.SANDBOX and not settings.RATE_SOURCE_URLS[name].startswith("https://"):
            yield 39, f"RATE_{name.upper()}_URL must begin with https:// with real money."
    for name, pairs in settings.RATE_SOURCE_PAIRS.items():
        if unknown := sorted(set(pairs) - settings.CURRENCIES.keys()):
            yield 42, f"RATE_{name.upper()}_PAIRS: {', '.join(unknown)} is not a known coin."
    if settings.RATE_FEED_SECONDS < 10 or settings.RATE_SOURCE_TIMEOUT_SECONDS <= 0:
        yield 40, "RATE_FEED_SECONDS must be 10 or more, RATE_SOURCE_TIMEOUT_SECONDS above 0."
    if settings.RATE_SOURCE_TIMEOUT_SECONDS * 2 > settings.RATE_FEED_SECONDS:
        yield 41, "RATE_SOURCE_TIMEOUT_SECONDS must be half of RATE_FEED_SECONDS at most."


def _figure_problems() -> Iterator[tuple[int, str]]:
    if not 0 <= settings.COLLECT_FEE_RATE < 1:
        yield 30, "COLLECT_FEE_RATE must be from 0 to below 1."
    for name in ("CRYPTO_SPREAD", "PAYOUT_SPREAD"):
        if not 0 <= getattr(settings, name) < 1:
            yield 31, f"{name} must be from 0 to below 1."
    for name in ("CHARGE_RECONCILE_DELAYS", "OUTGOING_RECONCILE_DELAYS", "WEBHOOK_RETRY_DELAYS"):
        delays = getattr(settings, name)
        if not delays or min(delays) < 0:
            yield 32, f"{name} must be a list of seconds."
    # The rule against two calls at once depends on it (outgoing/engine.py).
    if not 0 < settings.OUTGOING_BUDGET_SECONDS < settings.CHARGE_SETTLING_SECONDS:
        yield 34, "OUTGOING_BUDGET_SECONDS must be above 0 and below CHARGE_SETTLING_SECONDS."
    if not 0 < settings.CHARGE_START_SECONDS <= settings.CHARGE_SETTLING_SECONDS - 5:
        yield 37, "CHARGE_START_SECONDS must be above 0, 5 below CHARGE_SETTLING_SECONDS at most."
    for name in ("CONSOLE_SESSION_SECONDS", "CONSOLE_IDLE_SECONDS", "CONSOLE_FRESH_SECONDS"):
        if getattr(settings, name) <= 0:
            yield 71, f"{name} must be above 0."
    if settings.CONSOLE_FIRST_PASSWORD_DAYS <= 0:
        yield 73, "CONSOLE_FIRST_PASSWORD_DAYS must be above 0."
    for name in ("INVITATION_HOURS", "ACCESS_REQUEST_DAYS"):
        if getattr(settings, name) <= 0:
            yield 74, f"{name} must be above 0."
    if settings.AXES_FAILURE_LIMIT <= 0 or not settings.AXES_COOLOFF_TIME:
        yield 72, "CONSOLE_LOCK_AFTER and CONSOLE_LOCK_SECONDS must be above 0."
    if settings.RATE_MAX_AGE_SECONDS <= 0 and not settings.SANDBOX:
        yield 33, "RATE_MAX_AGE_SECONDS must be above 0 with real money."
