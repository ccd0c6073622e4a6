"""JSON-RPC with a node: one question or many, and every answer that is not theirs."""

import json
import logging
from base64 import b64encode
from decimal import Decimal

import pytest
from werkzeug import Response

from payments.providers import http
from payments.providers.jsonrpc import Ask, JsonRpc, RpcError, basic_auth
from payments.providers.ports import ProviderTimeout, ProviderUnreachable

PASSWORD = "una-clave-del-nodo"


@pytest.fixture
def node(httpserver):
    return JsonRpc(
        url=httpserver.url_for("/"), name="chain", headers=basic_auth("ana", PASSWORD), timeout=5
    )


@pytest.fixture
def answering(httpserver):
    """Answers each question by `answer(question)`; gives the requests."""

    def use(answer, *, status=200):
        def respond(request):
            asked = json.loads(request.data)
            many = [answer(one) for one in asked] if isinstance(asked, list) else answer(asked)
            return Response(json.dumps(many), status=status, content_type="application/json")

        httpserver.expect_request("/").respond_with_handler(respond)

    return use


def test_a_question_is_sent_with_user_and_password_and_brings_its_result(
    node, answering, httpserver
):
    answering(lambda one: {"id": one["id"], "result": [one["method"], *one["params"]]})
    assert node.ask("getblockhash", 7) == ["getblockhash", 7]
    request, _ = httpserver.log[0]
    assert request.headers["Authorization"] == "Basic " + b64encode(
        f"ana:{PASSWORD}".encode()
    ).decode("ascii")
    assert request.headers["Content-Type"] == "application/json"


def test_numbers_keep_all_their_digits(node, httpserver):
    def respond(request):
        number = json.loads(request.data)["id"]
        return Response(f'{{"id": {number}, "result": [20999999.9769, 1e-8, 0.10000000]}}')

    httpserver.expect_request("/").respond_with_handler(respond)
    found = node.ask("sum")
    assert found == [Decimal("20999999.9769"), Decimal("0.00000001"), Decimal("0.1")]
    assert all(isinstance(one, Decimal) for one in found)


def test_answers_of_a_batch_come_in_the_order_of_the_questions(node, httpserver):
    def respond(request):
        asked = json.loads(request.data)
        answers = [{"id": one["id"], "result": one["params"][0]} for one in reversed(asked)]
        return Response(json.dumps(answers))

    httpserver.expect_request("/").respond_with_handler(respond)
    assert node.ask_all([Ask("echo", [n]) for n in range(5)]) == [0, 1, 2, 3, 4]
    assert len(httpserver.log) == 1


def test_no_questions_are_not_sent(node, httpserver):
    assert node.ask_all([]) == []
    assert httpserver.log == []


def test_an_error_of_the_node_has_its_code(node, answering):
    answering(lambda one: {"id": one["id"], "error": {"code": -8, "message": "out of range"}})
    with pytest.raises(RpcError, match="out of range") as caught:
        node.ask("getblockhash", 7)
    assert caught.value.code == -8


def test_one_question_of_a_batch_may_be_refused(node, answering):
    error = {"code": -5, "message": "no such transaction"}
    answering(
        lambda one: (
            {"id": one["id"], "result": None, "error": error}
            if one["params"] == [1]
            else {"id": one["id"], "result": one["params"][0], "error": None}
        )
    )
    first, second, third = node.ask_all([Ask("echo", [n]) for n in range(3)])
    assert (first, third) == (0, 2)
    assert isinstance(second, RpcError)
    assert second.code == -5


def test_a_single_call_may_be_a_batch_of_one(answering, httpserver):
    answering(lambda one: {"id": one["id"], "error": {"code": -28, "message": "Loading"}})
    node = JsonRpc(url=httpserver.url_for("/"), name="chain", in_batches=True)
    with pytest.raises(RpcError, match="Loading"):
        node.ask("getblockcount")
    assert isinstance(json.loads(httpserver.log[0][0].data), list)


@pytest.mark.parametrize(
    "answer",
    [
        lambda one: {"id": one["id"] + 1, "result": 1},
        lambda one: {"result": 1},
        lambda one: {"id": one["id"]},
        lambda one: [],
        lambda one: None,
        lambda one: "ok",
        lambda one: {"id": [], "result": 1},
    ],
)
def test_an_answer_that_is_not_ours_is_doubtful(node, answering, answer):
    answering(answer)
    with pytest.raises(ProviderTimeout):
        node.ask("getblockcount")
    with pytest.raises(ProviderTimeout):
        node.ask_all([Ask("getblockcount"), Ask("getblockcount")])


def test_a_batch_with_an_answer_too_few_or_a_refused_batch_is_doubtful(node, httpserver):
    httpserver.expect_ordered_request("/").respond_with_json([])
    httpserver.expect_ordered_request("/").respond_with_json({"error": {"code": -32600}})
    with pytest.raises(ProviderTimeout, match="shape"):
        node.ask_all([Ask("getblockcount")])
    with pytest.raises(RpcError, match="-32600"):
        node.ask_all([Ask("getblockcount")])


@pytest.mark.parametrize("error", ["busy", {"message": "no code"}, {"code": "x"}, 7, []])
def test_errors_without_a_code_are_errors(node, answering, error):
    answering(lambda one: {"id": one["id"], "result": None, "error": error})
    with pytest.raises(RpcError) as caught:
        node.ask("getblockcount")
    assert caught.value.code == 0


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (200, "<html>", ProviderTimeout),
        (200, '[{"id": 1, "resu', ProviderTimeout),
        (404, "<html>", ProviderTimeout),
        (500, "{}", ProviderTimeout),
        (401, "", ProviderUnreachable),
        (403, "", ProviderUnreachable),
        (429, "", ProviderUnreachable),
    ],
)
def test_what_is_not_json_rpc_is_classified_by_its_status(node, httpserver, status, body, error):
    httpserver.expect_request("/").respond_with_data(body, status=status)
    with pytest.raises(error):
        node.ask("getblockcount")


def test_a_large_answer_is_read_only_if_it_is_allowed(node, answering):
    answering(lambda one: {"id": one["id"], "result": "00" * http.MAX_BODY_BYTES})
    with pytest.raises(ProviderTimeout, match="too large"):
        node.ask("getblock")
    limit = 3 * http.MAX_BODY_BYTES
    assert len(node.ask("getblock", max_bytes=limit)) == 2 * http.MAX_BODY_BYTES


def test_neither_log_nor_error_nor_repr_shows_user_password_or_address(node, httpserver, caplog):
    caplog.set_level(logging.DEBUG)
    httpserver.expect_request("/").respond_with_data("", status=401)
    with pytest.raises(ProviderUnreachable) as caught:
        node.ask("getblockcount")
    shown = caplog.text + str(caught.value) + repr(node)
    assert PASSWORD not in shown
    assert b64encode(f"ana:{PASSWORD}".encode()).decode() not in shown
    assert str(httpserver.port) not in repr(node)
