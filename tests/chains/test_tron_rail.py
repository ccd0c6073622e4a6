"""A Tron account as an operator enters it, and its check."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from payments.providers.account import CheckLine, Finding, InvalidCredentials, Mode
from payments.providers.tron import rail
from payments.providers.tron.account import check_credentials, read_settings
from tests.chains.tron_account import (
    FIRST,
    FORGERY,
    PUBLIC_KEY,
    SECOND,
    USDT,
    account,
    running_tron,
)
from tests.rails.fake_server.server import RunningServer

# m/44'/195'/0' of the same words, private.
PRIVATE_KEY = (
    "xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QE"
    "C8w35uxmGoggxtQTPvfUu"
)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def tron() -> Iterator[RunningServer]:
    with running_tron() as server:
        yield server


def lines(server: RunningServer, **changes: str) -> list[CheckLine]:
    return list(rail.check(account(server.url, **changes)))


def findings(found: list[CheckLine]) -> dict[str, Finding]:
    return {line.subject: line.finding for line in found}


def test_the_check_shows_chain_key_blocks_token_and_clock(tron: RunningServer) -> None:
    found = lines(tron)
    assert findings(found) == {
        "address": Finding.UNCHECKED,
        "chain": Finding.OK,
        "api_key": Finding.OK,
        "tip": Finding.OK,
        "solid": Finding.OK,
        "usdt_contract": Finding.OK,
        "clock": Finding.OK,
    }
    assert any("USDT with 6 decimals" in line.text for line in found)
    assert tron.control.complaints() == []


def test_the_check_shows_the_first_three_addresses_for_the_wallet(tron: RunningServer) -> None:
    shown = [line.text for line in lines(tron) if line.subject == "address"]
    assert shown[:2] == [f"m/0/0 {FIRST}", f"m/0/1 {SECOND}"]
    assert len(shown) == 3


def test_the_addresses_are_shown_even_if_the_api_does_not_answer(tron: RunningServer) -> None:
    tron.control.set(refuses_with=429)
    found = findings(lines(tron))
    assert found == {"address": Finding.UNCHECKED, "api": Finding.FAILED}


def test_a_refused_key_fails_the_check(tron: RunningServer) -> None:
    assert findings(lines(tron, api_key="wrong"))["api"] == Finding.FAILED


def test_no_key_is_said(tron: RunningServer) -> None:
    assert findings(lines(tron, api_key=""))["api_key"] == Finding.UNCHECKED


@pytest.mark.parametrize(
    ("settings", "subject"),
    [
        ({"tip_age_seconds": 120}, "tip"),
        ({"solidity_lag_blocks": 1000}, "solid"),
        ({"chain_id": "2b6653dc"}, "chain"),
        ({"clock_skew_seconds": 120}, "clock"),
    ],
)
def test_what_is_wrong_fails_its_line(
    tron: RunningServer, settings: dict[str, object], subject: str
) -> None:
    tron.control.set(**settings)
    assert findings(lines(tron))[subject] == Finding.FAILED


def test_a_contract_that_is_another_token_fails_the_check(tron: RunningServer) -> None:
    named = {"symbol": "USDD", "name": "Decentralized USD", "decimals": 18}
    tron.control.call("POST", "tokens", {"address": FORGERY, **named})
    assert findings(lines(tron, usdt_contract=FORGERY))["usdt_contract"] == Finding.FAILED


def test_a_contract_that_does_not_exist_fails_the_check(tron: RunningServer) -> None:
    assert findings(lines(tron, usdt_contract=FORGERY))["usdt_contract"] == Finding.FAILED


def test_no_line_of_the_check_has_the_key_of_the_api(tron: RunningServer) -> None:
    secret = account(tron.url).credentials["api_key"]
    assert all(secret not in line.text for line in lines(tron))


def test_a_live_account_needs_only_its_public_key() -> None:
    live = account("", Mode.LIVE, usdt_contract="", api_key="")
    check_credentials(live)
    settings = read_settings(live)
    assert settings.base_url == "https://api.trongrid.io"
    assert settings.coin.token == USDT
    assert (settings.network, settings.chain_id) == ("tron", "2b6653dc")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"public_key": ""}, "public_key"),
        ({"public_key": PRIVATE_KEY}, "public_key"),
        ({"public_key": PUBLIC_KEY[:-1] + "e"}, "public_key"),
        ({"usdt_contract": ""}, "usdt_contract"),
        ({"usdt_contract": "0xdAC17F958D2ee523a2206206994597C13D831ec7"}, "usdt_contract"),
        ({"usdt_contract": USDT[:-1] + "u"}, "usdt_contract"),
        ({"api_key": "with space"}, "api_key"),
        ({"api_key": "a\r\nX-Evil: 1"}, "api_key"),
        ({"explorer": "http://explorer.example/{transaction}"}, "explorer"),
        ({"explorer": "https://explorer.example/"}, "explorer"),
        ({"explorer": "https://[::1"}, "explorer"),
    ],
    ids=str,
)
def test_credentials_that_cannot_be_right_are_refused(changes: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidCredentials) as refused:
        check_credentials(account("", **changes))
    assert refused.value.field == field
    entered = changes[field]
    assert not entered or entered not in str(refused.value)
