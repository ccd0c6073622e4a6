"""Refusals. A node writes {"Error": …}, mostly with status 200; TronGrid's index its own shape."""

from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.store import Document

NO_ADDRESS = "A valid account address is required."
PARSE = "class org.tron.core.services.http.JsonFormat$ParseException : %s"


def index_body(status: int, text: str) -> Document:
    return {"success": False, "error": text, "statusCode": status}


def index_refusal(text: str, complaint: str) -> Refusal:
    return Refusal(400, index_body(400, text), complaint)


def node_refusal(text: str, complaint: str) -> Refusal:
    return Refusal(200, {"Error": text}, complaint)


def key_refusal(status: int, complaint: str) -> Refusal:
    return Refusal(status, {"Error": "ApiKey not exists"}, complaint)


def too_many(status: int, *, is_index: bool) -> Refusal:
    text = "The key exceeds the frequency limit(15), and the query server is suspended for 30s"
    return Refusal(status, index_body(status, text) if is_index else {"Error": text})
