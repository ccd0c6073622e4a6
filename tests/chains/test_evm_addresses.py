"""Addresses of Ethereum: derived from the public key alone, and checked by EIP-55."""

import pytest
from eth_account import Account
from eth_account.hdaccount import key_from_seed, seed_from_mnemonic
from eth_utils import to_checksum_address

from tests.chains.evm_accounts import chain
from tests.chains.nodes.anvil import WORDS, running_anvil

# The examples of EIP-55.
RIGHT = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]


def test_addresses_are_those_of_an_independent_wallet_library():
    # What `Account.from_mnemonic` does, which would stretch the same words a thousand times.
    seed = seed_from_mnemonic(WORDS, passphrase="")
    ours = chain()

    for index in range(1000):
        theirs = Account.from_key(key_from_seed(seed, f"m/44'/60'/0'/0/{index}")).address
        assert ours.derive(index).text == theirs, index
        assert ours.derive(index).target == theirs.lower()


def test_addresses_are_those_of_the_node_with_the_same_seed():
    with running_anvil() as node:
        theirs = [to_checksum_address(one) for one in node.accounts]

    assert [chain().derive(index).text for index in range(len(theirs))] == theirs


@pytest.mark.parametrize("address", RIGHT)
def test_right_checksum_and_letters_of_one_case_are_addresses(address):
    ours = chain()

    for text in (address, "0x" + address[2:].lower(), "0x" + address[2:].upper()):
        assert ours.is_address(text)
        assert ours.target_of(text) == address.lower()


@pytest.mark.parametrize(
    "text",
    [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",  # the case of the last letter
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
        "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
        " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n",
        "",
        "vitalik.eth",
    ],
)
def test_wrong_checksum_and_other_text_is_no_address(text):
    assert not chain().is_address(text)
    with pytest.raises(ValueError):
        chain().target_of(text)
