"""`check --deploy` refuses in production what only a bare machine may have."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=True)
def production_settings(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """One error for each development default that production must not run with."""
    return [Error(text, id=f"pasarela.E{number:03d}") for number, text in _problems()]


def _problems() -> Iterator[tuple[int, str]]:
    if not settings.PRODUCTION:
        yield 1, "ENV is not production."
    if settings.USES_GENERATED_KEYS:
        yield 2, "SECRET_KEY and ENCRYPTION_KEYS must be given; generated keys are in use."
    if settings.USES_EMBEDDED_DATABASE:
        yield 3, "DATABASE_URL must be given; the embedded PostgreSQL is for development."
    if settings.USES_EMBEDDED_REDIS:
        yield 4, "REDIS_URL must be given; the embedded Valkey is for development."
    if settings.PAYIN_PROVIDER == "simulator" and not settings.SANDBOX:
        yield 5, "PAYIN_PROVIDER is the simulator: it takes no real money."
    if settings.WEBHOOK_ALLOW_PRIVATE:
        yield 6, "WEBHOOK_ALLOW_PRIVATE lets webhooks reach the private network."
    if not settings.PUBLIC_URL.startswith("https://"):
        yield 7, "PUBLIC_URL must begin with https://."
    if settings.SIMULATOR_CALLBACK_SECRET == "simulator-callback-secret" and (
        "simulator" in (settings.PAYIN_PROVIDER, settings.PAYOUT_PROVIDER)
    ):
        yield 8, "SIMULATOR_CALLBACK_SECRET has its published default."
    if settings.PAYOUT_PROVIDER == "simulator" and not settings.SANDBOX:
        yield 9, "PAYOUT_PROVIDER is the simulator: it sends no real money."
