"""Answers of an API that is broken, refuses, or lies: nothing is shown that it did not prove."""

from collections.abc import Iterator
from typing import Any

import pytest

from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from tests.chains.tron_account import FIRST, SECOND, USDT, chain, mine, pay, running_tron
from tests.rails.fake_server.server import RunningServer

LIST = f"GET /v1/accounts/{FIRST}/transactions/trc20"
RECEIPT = "POST /wallet*/gettransactioninfobyid"
TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
USDT_20 = "a614f803b6fd780986a42c78ec9c7f77e6ded13c"


@pytest.fixture
def tron() -> Iterator[RunningServer]:
    with running_tron() as server:
        yield server


def answer(server: RunningServer, on: str, body: Any, status: int = 200) -> None:
    server.control.set(answers={on: {"status": status, "body": body}})


def row(**changes: Any) -> dict[str, Any]:
    found = {
        "transaction_id": "ab" * 32,
        "token_info": {"symbol": "USDT", "address": USDT, "decimals": 6, "name": "Tether USD"},
        "block_timestamp": 1_777_437_762_000,
        "from": SECOND,
        "to": FIRST,
        "type": "Transfer",
        "value": "5000000",
    }
    return {**found, **changes}


def page(*rows: Any, **changes: Any) -> dict[str, Any]:
    return {"data": list(rows), "success": True, "meta": {"at": 1, "page_size": 1}, **changes}


@pytest.mark.parametrize("status", [429, 403])
def test_limits_and_refusals_are_unreachable(tron: RunningServer, status: int) -> None:
    tron.control.set(refuses_with=status)
    with pytest.raises(ProviderUnreachable):
        chain(tron).tip()
    with pytest.raises(ProviderUnreachable):
        chain(tron).received(FIRST)


def test_a_wrong_key_is_unreachable(tron: RunningServer) -> None:
    with pytest.raises(ProviderUnreachable):
        chain(tron, api_key="of-another-client").tip()


def test_503_and_html_are_doubtful(tron: RunningServer) -> None:
    for settings in ({"refuses_with": 503}, {"refuses_with": None, "html": True}):
        tron.control.set(**settings)
        with pytest.raises(ProviderTimeout):
            chain(tron).tip()
        with pytest.raises(ProviderTimeout):
            chain(tron).received(FIRST)


@pytest.mark.parametrize("fault", ["lose_answer", "error_500", "bad_gateway", "invalid_json"])
def test_broken_answers_are_doubtful_and_the_next_look_shows_the_payment(
    tron: RunningServer, fault: str
) -> None:
    pay(tron, {"to": FIRST, "value": 5_000_000})
    mine(tron)
    tron.control.fault(RECEIPT, fault)
    with pytest.raises(ProviderTimeout):
        chain(tron).received(FIRST)
    assert len(chain(tron).received(FIRST)) == 1


@pytest.mark.parametrize(
    "body",
    [
        [],
        None,
        {},
        {"success": False, "error": "x", "statusCode": 400},
        page(data=None),
        page(data={}),
        page("text"),
        page([]),
        page(row(transaction_id="")),
        page(row(transaction_id=None)),
        page(row(transaction_id="ab" * 31)),
        page(row(value=None)),
        page(row(value="")),
        page(row(value="-5000000")),
        page(row(value="5000000.5")),
        page(row(value="5e6")),
        page(row(value=5000000.0)),
        page(row(value=True)),
        page(row(value="\u0665\u0660")),
        page(row(value="9" * 100)),
        page(row(value=-1)),
        page(row(to="TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh")),
        page(row(to=None)),
        page(row(**{"from": "?"})),
        page(row(token_info={"address": USDT, "decimals": 18})),
        page(row(token_info={"address": USDT, "decimals": "6"})),
        page(row(token_info={"address": USDT})),
    ],
    ids=lambda body: str(body)[-60:],
)
def test_lists_that_contradict_the_question_or_their_shape_are_refused(
    tron: RunningServer, body: Any
) -> None:
    answer(tron, LIST, body)
    with pytest.raises(ProviderTimeout):
        chain(tron).received(FIRST)


def test_a_list_that_is_not_there_is_no_empty_list(tron: RunningServer) -> None:
    """A node without TronGrid's index answers 404 on each address."""
    answer(tron, LIST, {"success": False, "error": "Not found", "statusCode": 404}, status=404)
    with pytest.raises(ProviderTimeout):
        chain(tron).received(FIRST)


def test_a_list_that_never_ends_is_read_five_times(tron: RunningServer) -> None:
    answer(tron, LIST, page(row(), meta={"fingerprint": "again"}))
    chain(tron).received(FIRST)
    assert tron.control.state()["requests"][LIST] <= 6


def test_a_listed_payment_without_a_receipt_is_not_shown(tron: RunningServer) -> None:
    """The index alone proves nothing: it may speak of a transaction that does not exist."""
    answer(tron, LIST, page(row()))
    assert chain(tron).received(FIRST) == []


def receipt(transaction: str, **changes: Any) -> dict[str, Any]:
    log = {
        "address": USDT_20,
        "topics": [TRANSFER, "00" * 31 + "01", topic()],
        "data": f"{5_000_000:064x}",
    }
    found = {
        "id": transaction,
        "blockNumber": 66_000_001,
        "blockTimeStamp": 1_777_437_762_000,
        "receipt": {"result": "SUCCESS"},
        "log": [{**log, **changes.pop("in_log", {})}],
    }
    return {**found, **changes}


def topic() -> str:
    """The first address in a word, by the fake's own arithmetic."""
    from tests.chains.fake_tron.addresses import to_hex

    hexed = to_hex(FIRST)
    assert hexed is not None
    return hexed[2:].rjust(64, "0")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "cd" * 32},
        {"id": None},
        {"blockNumber": None},
        {"blockNumber": "66000001"},
        {"blockNumber": -1},
        {"blockTimeStamp": None},
        {"blockTimeStamp": 10**30},
        {"log": {}},
        {"log": ["text"]},
        {"receipt": []},
        {"receipt": {"result": "REVERT"}},
        {"receipt": {}},
        {"result": "FAILED"},
        {"in_log": {"data": ""}},
        {"in_log": {"data": f"{5_000_001:064x}"}},
        {"in_log": {"data": "zz" * 32}},
        {"in_log": {"data": f"{5_000_000:0128x}"}},
        {"in_log": {"data": None}},
        {"in_log": {"topics": [TRANSFER]}},
        {"in_log": {"topics": [TRANSFER, "00" * 32, "ff" * 32]}},
        {"in_log": {"topics": None}},
        {"in_log": {"topics": [5, 5, 5]}},
        {"in_log": {"address": "ff" * 20}},
        {"in_log": {"address": None}},
        {"log": []},
    ],
    ids=str,
)
def test_a_receipt_that_does_not_prove_what_the_list_says_is_refused(
    tron: RunningServer, changes: dict[str, Any]
) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 5_000_000})
    mine(tron)
    answer(tron, RECEIPT, receipt(transaction, **changes))
    with pytest.raises(ProviderTimeout):
        chain(tron).received(FIRST)


def test_the_receipt_of_these_tests_proves_a_payment_unless_it_is_changed(
    tron: RunningServer,
) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 5_000_000})
    mine(tron)
    answer(tron, RECEIPT, receipt(transaction))
    assert chain(tron).received(FIRST)[0].transfers[0].units == 5_000_000


@pytest.mark.parametrize(
    "in_log",
    [
        {"data": "zz"},
        {"topics": [TRANSFER, "ff" * 32, "ff" * 32]},
        {"topics": [TRANSFER]},
        {"topics": [TRANSFER, "00" * 32, topic(), "00" * 31 + "07"]},
    ],
    ids=str,
)
def test_events_of_foreign_contracts_in_any_shape_hide_no_payment(
    tron: RunningServer, in_log: dict[str, Any]
) -> None:
    transaction = pay(tron, {"to": FIRST, "value": 5_000_000})
    mine(tron)
    good = receipt(transaction)
    foreign = {**good["log"][0], "address": "ff" * 20, **in_log}
    answer(tron, RECEIPT, {**good, "log": [foreign, *good["log"]]})
    (found,) = chain(tron).received(FIRST)
    assert [(one.units, one.position) for one in found.transfers] == [(5_000_000, 1)]


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"Error": "class java.lang.NullPointerException : null"},
        {"blockID": "00" * 32},
        {"blockID": "00" * 32, "block_header": []},
        {"blockID": "00" * 32, "block_header": {"raw_data": {"number": 5, "timestamp": 1}}},
        {"blockID": "00" * 32, "block_header": {"raw_data": {"number": 0}}},
        {"blockID": "00" * 32, "block_header": {"raw_data": {"number": 0, "timestamp": 10**30}}},
        {"blockID": "zz" * 32, "block_header": {"raw_data": {"number": 0, "timestamp": 1}}},
    ],
    ids=str,
)
def test_blocks_of_another_shape_are_refused(tron: RunningServer, body: Any) -> None:
    answer(tron, "POST /wallet*/getblock", body)
    with pytest.raises(ProviderTimeout):
        chain(tron).tip()


@pytest.mark.parametrize(
    "body", [{}, {"blockID": "x"}, {"blockID": f"{5:016x}" + "00" * 20 + "cd8690dc"}], ids=str
)
def test_a_first_block_of_another_shape_is_refused(tron: RunningServer, body: Any) -> None:
    answer(tron, "POST /wallet/getblockbynum", body)
    with pytest.raises(ProviderTimeout):
        chain(tron).tip()


def test_a_slow_answer_ends_at_the_deadline(tron: RunningServer, settings: Any) -> None:
    settings.PROVIDER_TIMEOUT_SECONDS = 0.3
    tron.control.fault("POST /wallet/getblockbynum", "slow_drip", interval_seconds=0.05)
    with pytest.raises(ProviderTimeout):
        chain(tron).tip()
