"""The address of a rail that an operator enters: where credentials and money go."""

import pytest

from payments.core import clock
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts, approvals
from payments.rails.services.addresses import check_address
from payments.rails.services.errors import AddressRefused, NotSwitchable
from tests.admin.conftest import Console, ana, console, person  # noqa: F401
from tests.rails.accounts import WOMPI_CREDENTIALS
from tests.rails.test_console import LIVE, enter

NEAR = [
    "https://127.0.0.1/v1",
    "https://localhost:8443/v1",
    "https://10.1.2.3",
    "https://[::1]/v1",
    "https://192.168.0.7",
    "https://2130706433/v1",
    "https://169.254.169.254/latest",
]
NO_ADDRESS = [
    "production.wompi.co",
    "ftp://production.wompi.co",
    "https://",
    "https://user:word@production.wompi.co",
    "https://production.wompi.co:0/",
    "https://production.wompi.co:70000/",
    "https://production.wompi.co/v1?key=1",
    "https://production.wompi.co/v1#top",
    "https://production .wompi.co",
]
BY_OLGA = {"actor": "olga", "reason": "test"}
PUBLIC = ["", "https://production.wompi.co/v1", "https://rail.example:444", "https://1.1.1.1/v1"]


@pytest.fixture(autouse=True)
def _production(settings):
    settings.RAIL_ALLOW_PRIVATE = False


@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize("base_url", PUBLIC)
def test_public_https_address_serves_every_account(settings, sandbox, base_url):
    settings.SANDBOX = sandbox
    for mode in ("SANDBOX", "LIVE"):
        check_address(mode=mode, base_url=base_url)


@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize("base_url", [*NEAR, *NO_ADDRESS, "http://production.wompi.co/v1"])
def test_live_account_has_a_public_https_address(settings, sandbox, base_url):
    settings.SANDBOX = sandbox
    with pytest.raises(AddressRefused):
        check_address(mode="LIVE", base_url=base_url)


def test_sandbox_account_may_lead_to_a_fake_only_in_a_sandbox(settings):
    for base_url in ("http://127.0.0.1:9001/v1", "http://rail.example", "http://10.0.0.5"):
        settings.SANDBOX = True
        check_address(mode="SANDBOX", base_url=base_url)
        settings.SANDBOX = False
        with pytest.raises(AddressRefused):
            check_address(mode="SANDBOX", base_url=base_url)


@pytest.mark.parametrize("base_url", [*NO_ADDRESS, "http://169.254.169.254", "http://0x7f000001"])
def test_what_is_no_address_is_refused_in_a_sandbox_too(settings, base_url):
    settings.SANDBOX = settings.RAIL_ALLOW_PRIVATE = True
    with pytest.raises(AddressRefused):
        check_address(mode="SANDBOX", base_url=base_url)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://127.0.0.1:8545",
        "http://10.0.0.5:8332",
        "http://geth.chains.svc.cluster.local:8545",
        "http://node.internal:8545",
        "https://10.0.0.5",
        "https://node.example/eth",
    ],
)
def test_own_node_of_a_live_account_may_stand_in_our_network(base_url):
    check_address(mode="LIVE", base_url=base_url, is_own_node=True)


@pytest.mark.parametrize(
    "base_url",
    ["", "http://node.example:8545", "http://169.254.169.254", "http://8.8.8.8", *NO_ADDRESS],
)
def test_own_node_outside_needs_https_and_is_never_the_metadata_of_a_cloud(base_url):
    with pytest.raises(AddressRefused):
        check_address(mode="LIVE", base_url=base_url, is_own_node=True)


def test_fakes_of_development_serve_live_accounts_by_a_setting(settings):
    settings.RAIL_ALLOW_PRIVATE = True
    check_address(mode="LIVE", base_url="http://127.0.0.1:9001/v1")


@pytest.mark.django_db
@pytest.mark.parametrize("base_url", ["http://production.wompi.co/v1", "https://10.0.0.5/v1"])
def test_live_account_of_an_earlier_release_does_not_serve_at_a_bad_address(settings, base_url):
    settings.SANDBOX, settings.RAIL_ALLOW_PRIVATE = False, True
    accounts.create_account(
        new=accounts.NewAccount(
            slug="wompi-main",
            provider="wompi",
            label="Wompi",
            mode="LIVE",
            base_url=base_url,
            credentials=LIVE,
        ),
        **BY_OLGA,
        now=clock.now(),
    )
    accounts.switch_on(slug="wompi-main", **BY_OLGA, now=clock.now())
    digest = approvals.digest_to_approve(ProviderAccount.objects.get())
    approvals.approve(
        slug="wompi-main", digest=digest, actor="oscar", reason="test", now=clock.now()
    )
    assert accounts.find_rail("wompi-main") is not None
    settings.RAIL_ALLOW_PRIVATE = False
    assert accounts.find_rail("wompi-main") is None
    repaired = {"slug": "wompi-main", "base_url": "https://production.wompi.co/v1"}
    account = accounts.change_address(**repaired, **BY_OLGA, now=clock.now())
    assert (account.status, accounts.is_approved(account)) == ("OFF", False)
    assert accounts.find_rail("wompi-main") is None
    accounts.switch_on(slug="wompi-main", **BY_OLGA, now=clock.now())
    digest = approvals.digest_to_approve(ProviderAccount.objects.get())
    approvals.approve(
        slug="wompi-main", digest=digest, actor="oscar", reason="test", now=clock.now()
    )
    assert accounts.find_rail("wompi-main") is not None
    with pytest.raises(NotSwitchable):
        accounts.change_address(
            slug="wompi-main", base_url="https://rail.example", **BY_OLGA, now=clock.now()
        )


@pytest.mark.django_db
def test_address_is_refused_when_it_is_entered_changed_and_switched_on(settings):
    settings.SANDBOX = False
    new = accounts.NewAccount(
        slug="wompi-live",
        provider="wompi",
        label="Wompi",
        mode="LIVE",
        base_url="http://rail.example",
        credentials=LIVE,
    )
    with pytest.raises(AddressRefused):
        accounts.create_account(new=new, actor="olga", reason="test", now=clock.now())
    assert not ProviderAccount.objects.exists()
    settings.RAIL_ALLOW_PRIVATE = True
    accounts.create_account(new=new, actor="olga", reason="test", now=clock.now())
    settings.RAIL_ALLOW_PRIVATE = False
    with pytest.raises(AddressRefused):
        accounts.change_address(
            slug="wompi-live", base_url="https://10.0.0.1", **BY_OLGA, now=clock.now()
        )
    with pytest.raises(AddressRefused):
        accounts.switch_on(slug="wompi-live", actor="olga", reason="test", now=clock.now())
    assert ProviderAccount.objects.get().status == "OFF"


@pytest.mark.django_db
def test_form_of_the_console_says_what_is_wrong_with_the_address(console):  # noqa: F811
    answer = enter(console, mode="LIVE", credentials=LIVE, base_url="http://rail.example")
    assert answer.status_code == 400
    assert "https://" in answer.context["form"].non_field_errors()[0]
    answer = enter(console, mode="LIVE", credentials=LIVE, base_url="https://10.0.0.1/v1")
    assert answer.status_code == 400
    assert not ProviderAccount.objects.exists()
    enter(console, mode="LIVE", credentials=LIVE, base_url="https://rail.example/v1")
    assert ProviderAccount.objects.get().base_url == "https://rail.example/v1"


@pytest.mark.django_db
def test_form_without_an_address_takes_the_providers_own(console):  # noqa: F811
    enter(console, credentials=WOMPI_CREDENTIALS)
    assert ProviderAccount.objects.get().base_url == ""
