"""Provider accounts of the fake rails, entered as an operator enters them."""

from contextlib import contextmanager

from payments.core import clock
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import accounts
from tests.rails.fake_server.server import RunningServer
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_client import EVENTS_SECRET, INTEGRITY_SECRET, PRIVATE_KEY, PUBLIC_KEY
from tests.rails.wompi_payouts.company import ACCOUNT_ID
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.rails.wompi_payouts_client import API_KEY
from tests.rails.wompi_payouts_client import EVENTS_SECRET as PAYOUTS_EVENTS_SECRET

WOMPI_CREDENTIALS = {
    "public_key": PUBLIC_KEY,
    "private_key": PRIVATE_KEY,
    "integrity_secret": INTEGRITY_SECRET,
    "events_secret": EVENTS_SECRET,
}


def enter(slug: str, provider: str, base_url: str, credentials: dict[str, str]) -> ProviderAccount:
    """In the sandbox, switched on."""
    accounts.create_account(
        new=accounts.NewAccount(
            slug=slug,
            provider=provider,
            label=slug.title(),
            mode="SANDBOX",
            base_url=base_url,
            credentials=credentials,
        ),
        actor="olga",
        reason="test",
        now=clock.now(),
    )
    return accounts.switch_on(slug=slug, actor="olga", reason="test", now=clock.now())


def route(product: str, account: str, **fields: object) -> Route:
    return Route.objects.create(product=product, account=account, **fields)


@contextmanager
def wompi(slug: str = "wompi-main", **settings: object):
    """A fake Wompi and an account for it."""
    defaults = {"url_delay_seconds": 0, "nequi_delay_seconds": 0}
    with RunningServer(WompiRail(**{**defaults, **settings})) as server:
        enter(slug, "wompi", f"{server.url}/v1", WOMPI_CREDENTIALS)
        yield server


@contextmanager
def two_wompis():
    """Accounts `aaa`, and `bbb` after it. Their payers decide at the bank."""
    with (
        wompi("aaa", pse_resolution="payer") as first,
        wompi("bbb", pse_resolution="payer") as second,
    ):
        route("payin", "aaa", priority=1)
        route("payin", "bbb", priority=2)
        yield first, second


PAYOUTS_CREDENTIALS = {
    "api_key": API_KEY,
    "account_id": ACCOUNT_ID,
    "email": "pagos@tienda.example",
    "events_secret": PAYOUTS_EVENTS_SECRET,
}


@contextmanager
def wompi_payouts(slug: str = "wompi-payouts-main", **settings: object):
    """A fake of Wompi's payouts and an account for it."""
    rail = WompiPayoutsRail(**{"settle_seconds": 0, **settings})
    with RunningServer(rail) as server:
        enter(slug, "wompi-payouts", server.url, payouts_credentials(rail))
        yield server


def payouts_credentials(rail: WompiPayoutsRail) -> dict[str, str]:
    return {**PAYOUTS_CREDENTIALS, "user_principal_id": rail.company.principal_id}
