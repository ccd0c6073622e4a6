"""What an operator enters for a chain of Ethereum's kind, and what `rail_check` says of it."""

import pytest
import time_machine
from bip_utils import Base58Decoder, Base58Encoder

from payments.core import clock
from payments.core.models import AuditEntry
from payments.providers import registry
from payments.providers.account import Finding, InvalidCredentials, Mode
from payments.providers.evm.account import check_credentials
from payments.providers.evm.chain import EvmChain
from payments.providers.evm.check import check
from payments.providers.ports.chain import Coin, HasBalances, HasWitness
from payments.rails.models import ProviderAccount
from payments.rails.services.errors import AddressRefused, CredentialRefused
from tests.chains.evm_accounts import XPRV, XPUB, account, chain
from tests.chains.lying_node import lying_node
from tests.chains.nodes import contracts
from tests.chains.nodes.anvil import WORDS, running_anvil
from tests.rails.accounts import enter

USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
USDC = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"
HASH = "0x" + "ab" * 32


@pytest.fixture(autouse=True)
def _english(settings):
    settings.LANGUAGE_CODE = "en"


def test_coins_are_those_that_are_on_and_tokens_come_first():
    polygon = chain(
        network="polygon", network_label="", native_coin="", usdt_contract=USDT, usdc_contract=USDC
    )
    ethereum = chain(usdc_contract=USDC)

    assert [one.key for one in polygon.coins] == ["USDT-polygon", "USDC-polygon"]
    assert polygon.coins[0] == Coin(
        code="USDT",
        network="polygon",
        label="Polygon",
        decimals=6,
        standard="PoS",
        token=USDT.lower(),
    )
    assert [(one.key, one.token, one.decimals) for one in ethereum.coins][1] == (
        "ETH-ethereum",
        "",
        18,
    )


def test_key_has_one_id_and_the_explorer_shows_a_transaction():
    ours = chain()

    assert ours.key_id == chain(network="polygon", chain_id="137").key_id
    assert len(ours.key_id) == 64
    assert ours.transaction_url(HASH) == f"https://etherscan.io/tx/{HASH}"
    assert chain(explorer="").transaction_url(HASH) == ""


def test_final_by_depth_and_dust():
    ours = chain(finality="12", usdt_contract=USDT)
    usdt, ether = ours.coins

    assert ours.confirmations_needed(ether, 10**18) == 12
    assert chain(finality="finalized").confirmations_needed(ether, 1) > 1
    assert [ours.counts(usdt, one) for one in (9_999, 10_000)] == [False, True]
    assert [ours.counts(ether, one) for one in (10**12, 10**14)] == [False, True]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"usdt_contract": USDT, "native_coin": "", "finality": "finalized"},
        {"network": "my-own-chain", "chain_id": "4242", "explorer": "", "network_label": ""},
        {"node_user": "u", "node_password": "a" * 64, "node_key": "f" * 32},
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_good_account_is_taken(mode, changes):
    given = {"chain_id": "1", **changes}

    check_credentials(account(mode=mode, **given))
    EvmChain(account(mode=mode, **given))


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("public_key", {"public_key": ""}),
        ("public_key", {"public_key": XPRV}),
        ("public_key", {"public_key": WORDS}),
        ("public_key", {"public_key": "0x" + "12" * 32}),
        ("public_key", {"public_key": "zpub" + account().credentials["public_key"][4:]}),
        ("node_password", {"node_password": XPRV}),
        ("network_label", {"network_label": WORDS}),
        ("network", {"network": "Ethereum"}),
        ("network", {"network": ""}),
        ("network", {"network": "a" * 21}),
        ("chain_id", {"chain_id": ""}),
        ("chain_id", {"chain_id": "0x1"}),
        ("chain_id", {"chain_id": "0"}),
        ("finality", {"finality": ""}),
        ("finality", {"finality": "safe"}),
        ("finality", {"finality": "0"}),
        ("finality", {"finality": "99999"}),
        ("usdt_contract", {"usdt_contract": USDT[:-1] + "8"}),
        ("usdc_contract", {"usdt_contract": USDT, "usdc_contract": USDT.lower()}),
        ("native_coin", {"native_coin": "POL"}),
        ("native_coin", {"native_coin": ""}),
        ("witness_url", {"witness_url": "ftp://node.example"}),
        ("witness_url", {"witness_url": "http://user:password@node.example"}),
        ("explorer", {"explorer": "https://etherscan.io/tx/"}),
        ("explorer", {"explorer": "javascript:{transaction}"}),
        ("explorer", {"explorer": "https://[x/{transaction}"}),
    ],
)
def test_wrong_account_is_refused_with_the_name_of_the_field(field, changes):
    with pytest.raises(InvalidCredentials) as error:
        check_credentials(account(**changes))

    assert error.value.field == field
    private = [one for one in changes.values() if len(one) > 60]
    assert not [one for one in private if one[:20] in str(error.value)]


def test_live_account_takes_no_test_network_and_no_other_chain_by_a_known_name():
    live = {"mode": Mode.LIVE}

    for chain_id in ("31337", "11155111", "137"):
        with pytest.raises(InvalidCredentials) as error:
            check_credentials(account(**live, chain_id=chain_id))
        assert error.value.field == "chain_id"
    test_key = account(**live, chain_id="1", public_key=_tpub())
    with pytest.raises(InvalidCredentials):
        check_credentials(test_key)
    check_credentials(account(public_key=_tpub()))
    assert chain(public_key=_tpub()).key_id == chain().key_id


def test_live_account_calls_a_known_chain_by_its_one_name():
    """Two accounts with one key and two names of Ethereum would both count one payment."""
    with pytest.raises(InvalidCredentials) as error:
        check_credentials(account(mode=Mode.LIVE, chain_id="1", network="mainnet"))
    assert error.value.field == "network"
    assert "ethereum" in str(error.value)
    check_credentials(account(mode=Mode.LIVE, chain_id="1"))


def _tpub():
    raw = Base58Decoder.CheckDecode(XPUB)
    return Base58Encoder.CheckEncode(bytes.fromhex("043587cf") + raw[4:])


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["public_key", "node_password", "explorer"])
def test_private_key_is_refused_and_is_nowhere_afterwards(field, caplog, capsys):
    given = account(**{field: XPRV}).credentials

    with pytest.raises(CredentialRefused) as error:
        enter("evm-main", "evm", "http://127.0.0.1:8545", given)

    assert error.value.details == {"field": field}
    assert not ProviderAccount.objects.exists()
    audited = "".join(str(vars(one)) for one in AuditEntry.objects.all())
    told = f"{error.value!r} {error.value} {caplog.text} {capsys.readouterr()} {audited}"
    assert XPRV[:30] not in told


@pytest.mark.django_db
def test_account_is_entered_with_what_is_needed_and_serves_its_coins():
    needed = ("public_key", "network", "chain_id", "finality")
    given = {name: account().credentials[name] for name in needed}

    enter("evm-main", "evm", "http://127.0.0.1:8545", {**given, "usdt_contract": USDT})

    rail = registry.find_rail("evm-main")
    assert [one.key for one in rail.coins] == ["USDT-ethereum"]
    assert rail.chain.code == "evm-main"
    assert isinstance(rail.chain, HasBalances)
    assert isinstance(rail.chain, HasWitness)
    with pytest.raises(AddressRefused):
        enter("evm-other", "evm", "", {**given, "usdt_contract": USDT})


@pytest.fixture(scope="module")
def node():
    with running_anvil() as node:
        node.usdt = contracts.deploy_token(node, "USDT").address
        node.eighteen = contracts.deploy_token(node, "USDC", decimals=18).address
        node.usdc = contracts.deploy_token(node, "USDC").address
        node.fake = contracts.deploy_token(node, "USDT").address
        node.other = contracts.deploy_token(node, "MINE").address
        node.mine(70)
        yield node


def lines(given):
    found = list(check(given))
    return {(one.subject, one.text): one.finding for one in found}, {
        one.subject: one.finding for one in found
    }


def test_check_of_a_good_account_shows_chain_tip_tokens_and_first_addresses(node):
    texts, findings = lines(
        account(node.url, finality="finalized", usdt_contract=node.usdt, usdc_contract=node.usdc)
    )

    assert [text for subject, text in texts if subject == "address"] == [
        "m/0/0 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        "m/0/1 0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "m/0/2 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    ]
    assert findings.pop("address") is Finding.UNCHECKED
    assert set(findings.values()) == {Finding.OK}
    assert set(findings) == {
        "chain_id",
        "tip",
        "finality",
        "syncing",
        "usdt_contract",
        "usdc_contract",
    }
    assert ("usdt_contract", "the contract says: USDT, 6 decimals") in texts


def test_check_finds_another_chain_wrong_tokens_and_an_old_tip(node):
    with time_machine.travel(clock.now().timestamp() + 3600, tick=True):
        texts, findings = lines(
            account(node.url, chain_id="1", usdt_contract=node.other, usdc_contract=node.eighteen)
        )

    for subject in ("chain_id", "tip", "usdt_contract", "usdc_contract"):
        assert findings[subject] is Finding.FAILED, subject
    assert ("usdt_contract", "the contract says: MINE, 6 decimals") in texts
    assert ("usdc_contract", "the contract says: USDC, 18 decimals") in texts
    assert findings["syncing"] is Finding.OK


def test_check_finds_no_token_where_there_is_no_contract(node):
    texts, findings = lines(account(node.url, usdt_contract=USDT))

    assert findings["usdt_contract"] is Finding.FAILED
    assert ("usdt_contract", "there is no token at this address") in texts


def test_check_of_a_node_that_is_behind_or_knows_no_finalized_block(node):
    with lying_node(node.url) as lies:
        lies.changes["eth_syncing"] = lambda _: {"currentBlock": "0x1", "highestBlock": "0x9"}
        lies.changes["eth_getBlockByNumber"] = lambda block: (
            block if int(block["number"], 16) >= node.height else None
        )
        _, findings = lines(account(lies.url, finality="finalized"))

    assert (findings["syncing"], findings["finality"]) == (Finding.FAILED, Finding.FAILED)
    assert (findings["chain_id"], findings["tip"]) == (Finding.OK, Finding.OK)


def test_check_of_a_second_node_that_has_another_chain(node):
    with running_anvil() as other:
        other.mine(node.height)
        with_itself = lines(account(node.url, witness_url=node.url))[1]
        with_other = lines(account(node.url, witness_url=other.url))[1]

    assert with_itself["witness_url"] is Finding.OK
    assert with_other["witness_url"] is Finding.FAILED


def test_check_without_a_node_still_shows_the_addresses():
    _, findings = lines(account("http://127.0.0.1:9"))

    assert findings.pop("address") is Finding.UNCHECKED
    assert set(findings.values()) == {Finding.OK, Finding.FAILED}
    assert findings["finality"] is Finding.OK  # a number of blocks needs no node
