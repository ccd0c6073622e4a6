"""Accounts of coins: the operator's own node, fields to choose from, addresses to compare."""

import re
from dataclasses import replace
from functools import cache

import pytest
from bip_utils import Bip39SeedGenerator, Bip44, Bip44Changes, Bip44Coins, Bip84, Bip84Coins
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import translation

from payments.console.actions import new_form_token
from payments.core import clock, jsontext
from payments.core.models import AuditEntry
from payments.providers.account import Credential
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts, checks
from payments.rails.services.addresses import check_address
from payments.rails.services.declaration_file import DeclarationRefused, parse
from payments.rails.services.errors import AddressRefused, CredentialRefused, PrivateKeyRefused
from payments.rails.services.private_keys import is_private
from tests.admin.conftest import ana, console  # noqa: F401
from tests.admin.conftest import url as console_url
from tests.rails import coin_node
from tests.rails.accounts import WOMPI_CREDENTIALS, enter
from tests.rails.wompi_client import PUBLIC_KEY

pytestmark = pytest.mark.django_db
WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"  # of BIP 39
NODE = "http://10.0.0.5:8545"
ADD = "/admin/rails/provideraccount/add/?provider=evm"
FIELDS = [
    *("label", "slug", "base_url", "reason"),
    *("credential_public_key", "credential_network", "credential_explorer"),
    "credential_node_password",
]


@cache
def _keys():
    seed = Bip39SeedGenerator(WORDS).Generate()
    ether = Bip44.FromSeed(seed, Bip44Coins.ETHEREUM).Purpose().Coin().Account(0)
    coin = Bip84.FromSeed(seed, Bip84Coins.BITCOIN).Purpose().Coin().Account(0)
    return ether, coin


def xpub():
    return _keys()[0].PublicKey().ToExtended()


def private_ones():
    ether, coin = _keys()
    address = coin.Change(Bip44Changes.CHAIN_EXT).AddressIndex(0)
    return {
        "xprv": ether.PrivateKey().ToExtended(),
        "zprv": coin.PrivateKey().ToExtended(),
        "wif": address.PrivateKey().ToWif(),
        "words": WORDS,
    }


PRIVATE = list(private_ones().values())
of_every_private_key = pytest.mark.parametrize("private", PRIVATE, ids=list(private_ones()))


def evm(**changes):
    return {
        "public_key": xpub(),
        "network": "polygon",
        "chain_id": "137",
        "finality": "finalized",
        "native_coin": "",
        "usdc_contract": "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
        **changes,
    }


def typed(credentials, **changes):
    return {
        "label": "Polygon",
        "slug": "polygon-main",
        "mode": "SANDBOX",
        "base_url": NODE,
        "reason": "our node",
        **{f"credential_{name}": value for name, value in credentials.items()},
        **changes,
    }


def post(console, url, form):  # noqa: F811
    return console.post(url, {"form_token": new_form_token(), **form})


def new(provider="evm", credentials=None, **changes):
    values = {
        "slug": "polygon-main",
        "provider": provider,
        "label": "Polygon",
        "mode": "SANDBOX",
        "base_url": NODE,
        "credentials": credentials or evm(),
        **changes,
    }
    return accounts.NewAccount(**values)


def create(**changes):
    return accounts.create_account(new=new(**changes), actor="olga", reason="test", now=clock.now())


class TestAddressOfANode:
    @pytest.mark.parametrize(
        "url",
        [NODE, "http://bitcoind:8332", "http://[fd12::5]:8545", "https://node.example.com/rpc"],
    )
    def test_live_account_may_lead_to_a_node_in_our_own_network(self, settings, url):
        settings.RAIL_ALLOW_PRIVATE = False
        check_address(mode="LIVE", base_url=url, is_own_node=True)

    @pytest.mark.parametrize(
        "url",
        [
            "http://169.254.169.254/latest",
            "http://[fd00:ec2::254]/",
            "http://[fe80::1]:8545",
            "http://168.63.129.16",
            "http://100.100.100.200",
            "http://8.8.8.8:8545",
            "http://user:password@10.0.0.5:8545",
            "http://10.0.0.5:8545/?key=1",
            "ftp://10.0.0.5",
        ],
    )
    def test_metadata_of_clouds_and_open_http_over_the_internet_are_refused(self, settings, url):
        settings.RAIL_ALLOW_PRIVATE = False
        with pytest.raises(AddressRefused):
            check_address(mode="LIVE", base_url=url, is_own_node=True)

    def test_other_rails_stay_out_of_our_network(self, settings):
        settings.RAIL_ALLOW_PRIVATE = False
        with pytest.raises(AddressRefused):
            check_address(mode="LIVE", base_url="https://10.0.0.5")

    def test_account_without_the_address_of_its_node_is_refused(self):
        with translation.override("en"), pytest.raises(AddressRefused, match="your node"):
            create(base_url="")


class TestForm:
    def test_operator_compares_the_first_addresses_before_switching_on(self, console):  # noqa: F811
        sent = post(console, ADD, typed(evm()))
        assert sent.status_code == 302
        account = ProviderAccount.objects.get()
        found = checks.first_addresses(account, clock.now())
        assert len(set(found)) == 3
        for page in ("rails_provideraccount_change", "rails_provideraccount_switch_on"):
            text = console.page(page, account.pk).content.decode()
            assert all(address in text for address in found)
        assert checks.callback_urls(account, clock.now()) == {}

    def test_it_has_lists_boxes_and_first_values(self, console, settings, monkeypatch):  # noqa: F811
        credentials = (
            *coin_node.RAIL_TYPE.credentials,
            Credential(name="speed", label="Speed", default="fast", choices=SPEEDS, is_public=True),
            Credential(name="native", label="Native", is_flag=True, is_public=True),
        )
        monkeypatch.setattr(
            coin_node, "RAIL_TYPE", replace(coin_node.RAIL_TYPE, credentials=credentials)
        )
        monkeypatch.setattr("payments.rails.services.accounts.rail_types", _types)
        monkeypatch.setattr("payments.rails.admin.accounts.rail_types", _types)
        url = "/admin/rails/provideraccount/add/?provider=coin-node"
        page = console.get(url).content.decode()
        assert re.search(r"<select[^>]*name=\"credential_speed\"", page)
        assert re.search(r'<option value="fast" selected', page)
        assert re.search(r'<input type="checkbox"[^>]*name="credential_native"', page)
        form = typed({"network": "x", "coins": "ETH", "speed": "slow", "native": "on"}, base_url="")
        assert post(console, url, {**form, "credential_speed": "warp"}).status_code == 400
        assert post(console, url, form).status_code == 302
        assert '"speed": "slow", "native": "on"' in ProviderAccount.objects.get().credentials
        with pytest.raises(CredentialRefused):
            create(provider="coin-node", slug="other", credentials={"speed": "warp"})


SPEEDS = (("fast", "Fast"), ("slow", "Slow"))


def _types():
    return {"coin-node": coin_node.RAIL_TYPE}


class TestPrivateKeys:
    @of_every_private_key
    def test_in_no_field_of_the_form_it_is_kept_or_repeated(self, console, caplog, private):  # noqa: F811
        for field in FIELDS:
            form = typed(evm(), **{field: f" of ours: {private} "})
            sent = post(console, ADD, form)
            assert sent.status_code == 400
            assert sent.context["form"].errors.keys() == {field}
            _assert_nowhere(private, sent, caplog)
        assert not ProviderAccount.objects.exists()

    @of_every_private_key
    def test_of_another_provider_it_is_refused_too(self, console, caplog, private):  # noqa: F811
        form = typed({**WOMPI_CREDENTIALS, "public_key": private}, base_url="", slug="wompi-main")
        sent = post(console, "/admin/rails/provideraccount/add/?provider=wompi", form)
        assert sent.status_code == 400
        _assert_nowhere(private, sent, caplog)

    @of_every_private_key
    def test_rotation_refuses_it(self, console, caplog, private):  # noqa: F811
        enter("polygon-main", "evm", NODE, evm())
        before = ProviderAccount.objects.get().credentials
        url = console_url("rails_provideraccount_rotate", "polygon-main")
        sent = post(console, url, typed(evm(node_password=private)))
        _assert_nowhere(private, sent, caplog)
        sent = post(console, url, typed(evm(), reason=f"it is {private}"))
        _assert_nowhere(private, sent, caplog)
        assert ProviderAccount.objects.get().credentials == before

    @of_every_private_key
    def test_declared_accounts_refuse_it_without_repeating_it(
        self, tmp_path, settings, caplog, private
    ):
        entry = {
            "name": "polygon-main",
            "provider": "evm",
            "label": "Polygon",
            "mode": "SANDBOX",
            "baseUrl": NODE,
            "credentials": evm(),
        }
        for changed in (
            {"label": private},
            {"baseUrl": f"{NODE}/{private}"},
            {private: "x"},
            {"credentials": evm(public_key=private)},
            {"credentials": evm(node_password=private)},
        ):
            with pytest.raises(DeclarationRefused) as refused:
                parse(jsontext.dumps({"accounts": [{**entry, **changed}]}))
            assert private not in str(refused.value)
        assert parse(jsontext.dumps({"accounts": [entry]})).accounts
        path = tmp_path / "rails.json"
        path.write_text(jsontext.dumps({"accounts": [{**entry, "label": private}]}))
        settings.RAIL_ACCOUNTS_FILE = str(path)
        with pytest.raises(CommandError) as failed:
            call_command("declare_rails")
        assert private not in f"{failed.value}{caplog.text}"

    @of_every_private_key
    def test_services_refuse_it_from_any_caller(self, private):
        for changed in ({"label": private}, {"base_url": f"https://node.example/{private}"}):
            with pytest.raises(PrivateKeyRefused) as refused:
                create(**changed)
            assert private not in str(refused.value)
        with pytest.raises(CredentialRefused) as refused:
            create(credentials=evm(network=private))
        assert private not in f"{refused.value} {refused.value.details}"

    @pytest.mark.parametrize(
        "text",
        [
            "The node moved to another machine because the old one was slow and it had little room",
            "Rotamos la clave porque la persona que la tenía dejó la empresa el lunes pasado ya",
            PUBLIC_KEY,
        ],
    )
    def test_ordinary_reasons_are_no_keys(self, text):
        assert not is_private(text, is_prose=True)

    def test_public_key_is_none(self):
        assert not is_private(xpub())


def _assert_nowhere(private, sent, caplog):
    assert private not in sent.content.decode()
    assert private not in caplog.text
    assert private not in str(list(AuditEntry.objects.values()))
    for row in ProviderAccount.objects.all():
        assert private not in str(row.__dict__)
