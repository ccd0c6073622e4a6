"""The fake of a Tron API keeps to what the public documents say."""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.chains.fake_tron.rail import TronRail
from tests.rails.fake_server.server import RunningServer

OURS = "TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh"
USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"


@pytest.fixture
def tron() -> Iterator[RunningServer]:
    with RunningServer(TronRail()) as server:
        yield server


def call(
    server: RunningServer, method: str, path: str, body: Any = None, key: str | None = None
) -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"} | ({"TRON-PRO-API-KEY": key} if key else {})
    with closing(http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)) as line:
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())


def transfers(server: RunningServer, address: str = OURS, **query: str) -> tuple[int, Any]:
    path = f"/v1/accounts/{address}/transactions/trc20?{urlencode(query)}"
    return call(server, "GET", path)


def pay(server: RunningServer, value: int = 15_500_000, **fields: Any) -> str:
    transfer = {"to": OURS, "value": value} | fields
    found: str = server.control.call("POST", "transactions", {"transfers": [transfer]})["id"]
    return found


def test_a_transfer_is_listed_as_the_documents_show_it(tron: RunningServer) -> None:
    transaction = pay(tron)
    status, answer = transfers(tron, contract_address=USDT)
    assert (status, answer["success"], answer["meta"]["page_size"]) == (200, True, 1)
    row = answer["data"][0]
    assert row["transaction_id"] == transaction
    assert row["token_info"] == {
        "symbol": "USDT",
        "address": USDT,
        "decimals": 6,
        "name": "Tether USD",
    }
    assert (row["to"], row["type"], row["value"]) == (OURS, "Transfer", "15500000")
    assert tron.control.complaints() == []


def test_confirmed_lists_have_only_what_is_solid(tron: RunningServer) -> None:
    pay(tron)
    assert transfers(tron, only_confirmed="true")[1]["data"] == []
    assert len(transfers(tron, only_unconfirmed="true")[1]["data"]) == 1
    tron.control.call("POST", "mine", {"blocks": 19})
    assert len(transfers(tron, only_confirmed="true")[1]["data"]) == 1
    assert transfers(tron, only_unconfirmed="true")[1]["data"] == []


def test_pages_follow_each_other_only_with_the_same_filters(tron: RunningServer) -> None:
    paid = [pay(tron, value=each) for each in (1, 2, 3)]
    first = transfers(tron, limit="2")[1]
    mark = first["meta"]["fingerprint"]
    assert mark in first["meta"]["links"]["next"]
    second = transfers(tron, limit="2", fingerprint=mark)[1]
    seen = [row["transaction_id"] for row in first["data"] + second["data"]]
    assert seen == paid[::-1]
    assert "fingerprint" not in second["meta"]
    assert transfers(tron, limit="3", fingerprint=mark)[0] == 400


@pytest.mark.parametrize(
    ("address", "query"),
    [
        ("TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFi", {}),
        (OURS, {"limit": "201"}),
        (OURS, {"only_confirmed": "True"}),
        (OURS, {"only_confirmed": "true", "only_unconfirmed": "true"}),
        (OURS, {"contract_address": "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c"}),
        (OURS, {"order_by": "timestamp"}),
        (OURS, {"fingerprint": "made-up"}),
        (OURS, {"min_timestamp": "2026-01-01"}),
    ],
)
def test_wrong_parameters_are_refused(
    tron: RunningServer, address: str, query: dict[str, str]
) -> None:
    status, answer = transfers(tron, address, **query)
    assert (status, answer["success"], answer["statusCode"]) == (400, False, 400)
    assert len(tron.control.complaints()) == 1


def test_a_wrong_key_is_refused_and_the_right_one_is_not(tron: RunningServer) -> None:
    tron.control.set(api_key="right")
    path = "/wallet/getblock"
    assert call(tron, "POST", path, {}, "wrong") == (401, {"Error": "ApiKey not exists"})
    assert call(tron, "POST", path, {}, "right")[0] == 200
    tron.control.set(without_key="403")
    assert call(tron, "POST", path, {})[0] == 403


def test_receipts_have_addresses_of_20_bytes_and_appear_as_solid_later(
    tron: RunningServer,
) -> None:
    value = {"value": pay(tron)}
    seen = call(tron, "POST", "/wallet/gettransactioninfobyid", value)[1]
    assert seen["log"][0]["address"] == "a614f803b6fd780986a42c78ec9c7f77e6ded13c"
    assert int(seen["log"][0]["data"], 16) == 15_500_000
    solid = "/walletsolidity/gettransactioninfobyid"
    assert call(tron, "POST", solid, value) == (200, {})
    tron.control.call("POST", "mine", {"blocks": 19})
    assert call(tron, "POST", solid, value)[1]["blockNumber"] == seen["blockNumber"]


def test_the_height_is_the_beginning_of_the_id_and_the_network_its_end_at_height_0(
    tron: RunningServer,
) -> None:
    block = call(tron, "POST", "/wallet/getblock", {"detail": False})[1]
    assert int(block["blockID"][:16], 16) == block["block_header"]["raw_data"]["number"]
    genesis = call(tron, "POST", "/wallet/getblockbynum", {"num": 0})[1]
    assert genesis["blockID"].endswith("2b6653dc")


def test_a_fork_moves_or_drops_what_was_not_solid(tron: RunningServer) -> None:
    kept, dropped = pay(tron), pay(tron)
    before = call(tron, "POST", "/wallet/getnowblock")[1]["blockID"]
    tron.control.call("POST", "fork", {"depth": 2, "dropped": [dropped]})
    assert call(tron, "POST", "/wallet/getnowblock")[1]["blockID"] != before
    rows = transfers(tron)[1]["data"]
    assert [row["transaction_id"] for row in rows] == [kept]


def test_a_failed_transaction_has_a_receipt_without_events(tron: RunningServer) -> None:
    body = {"transfers": [{"to": OURS, "value": 1}], "result": "OUT_OF_ENERGY"}
    value = {"value": tron.control.call("POST", "transactions", body)["id"]}
    receipt = call(tron, "POST", "/wallet/gettransactioninfobyid", value)[1]
    assert (receipt["result"], receipt["receipt"]["result"]) == ("FAILED", "OUT_OF_ENERGY")
    assert "log" not in receipt
    assert transfers(tron)[1]["data"] == []


def test_contracts_say_their_symbol_and_decimals(tron: RunningServer) -> None:
    asked = {"owner_address": OURS, "contract_address": USDT, "visible": True}
    path = "/wallet/triggerconstantcontract"
    answer = call(tron, "POST", path, asked | {"function_selector": "decimals()"})[1]
    assert int(answer["constant_result"][0], 16) == 6
    symbol = call(tron, "POST", path, asked | {"function_selector": "symbol()"})[1]
    assert bytes.fromhex(symbol["constant_result"][0])[64:68] == b"USDT"
    missing = asked | {"contract_address": OURS, "function_selector": "symbol()"}
    assert call(tron, "POST", path, missing)[1]["result"]["code"] == "CONTRACT_VALIDATE_ERROR"
