"""The HTTP interface of the fake, and its settings."""

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from tests.chains.fake_tron import errors
from tests.chains.fake_tron.addresses import to_hex
from tests.chains.fake_tron.chain import Chain
from tests.chains.fake_tron.index import Index
from tests.chains.fake_tron.receipts import Receipts
from tests.rails.fake_server.control import done, wrong
from tests.rails.fake_server.faults import HTML, Handler
from tests.rails.fake_server.rail import FakeRail, read_json
from tests.rails.fake_server.store import Document

HASH = re.compile(r"[0-9a-fA-F]{64}")
CALLS = {"decimals()", "symbol()"}


class TronRail(FakeRail):
    name = "tron"
    # What each means is in the docstring of the package.
    defaults: ClassVar[dict[str, Any]] = {
        "chain_id": "2b6653dc",
        "api_key": None,
        "without_key": "serve",
        "solid_depth": 19,
        "block_seconds": 3,
        "mines_itself": False,
        "tip_age_seconds": 0,
        "solidity_lag_blocks": 0,
        "list_lag_blocks": 0,
        "receipt_lag_blocks": 0,
        "lost_unconfirmed": [],
        "lost_confirmed": [],
        "lost": [],
        "repeats": 1,
        "list_order": "desc",
        "only_to_works": True,
        "has_links": True,
        "fingerprint_lost": False,
        "token_info": "full",
        "row_addresses": "base58",
        "value_as": "string",
        "log_addresses": "evm",
        "success_word": "SUCCESS",
        "getblock": True,
        "refuses_with": None,
        "html": False,
        "answers": {},
    }
    variants: ClassVar[dict[str, tuple[Any, ...]]] = {
        "without_key": ("serve", "401", "403"),
        "list_order": ("desc", "any"),
        "token_info": ("full", "empty", "hex"),
        "row_addresses": ("base58", "hex"),
        "value_as": ("string", "number"),
        "log_addresses": ("evm", "tron"),
        "success_word": ("SUCCESS", "SUCESS"),
        "refuses_with": (None, 429, 403, 503),
    }
    inspected = ("transaction",)

    def __init__(self, state_file: Path | None = None, **settings: Any) -> None:
        super().__init__(state_file, **settings)
        self.chain = Chain(self.store, self.settings)
        self.receipts = Receipts(self.chain, self.settings)
        pages = self.store.table("page")
        self.index = Index(self.chain, self.settings, pages, self.complain)

    def routes(self) -> list[web.RouteDef]:
        both = [
            route
            for node in ("wallet", "walletsolidity")
            for route in self._node_routes(node, is_solid=node == "walletsolidity")
        ]
        return [
            web.get("/v1/accounts/{address}/transactions/trc20", self.list_transfers),
            *both,
            web.post("/_control/transactions", self.create),
            web.post("/_control/mine", self.mine),
            web.post("/_control/fork", self.fork),
            web.post("/_control/tokens", self.add_token),
        ]

    def _node_routes(self, node: str, *, is_solid: bool) -> list[web.RouteDef]:
        async def now(request: web.Request) -> web.Response:
            return await self.now_block(request, is_solid=is_solid)

        async def block(request: web.Request) -> web.Response:
            return await self.get_block(request, is_solid=is_solid)

        async def by_number(request: web.Request) -> web.Response:
            return await self.block_by_number(request, is_solid=is_solid)

        async def info(request: web.Request) -> web.Response:
            return await self.info(request, is_solid=is_solid)

        async def call(request: web.Request) -> web.Response:
            return await self.call_contract(request)

        return [
            web.get(f"/{node}/getnowblock", now),
            web.post(f"/{node}/getnowblock", now),
            web.post(f"/{node}/getblock", block),
            web.post(f"/{node}/getblockbynum", by_number),
            web.post(f"/{node}/gettransactioninfobyid", info),
            web.post(f"/{node}/triggerconstantcontract", call),
        ]

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.startswith("/_control/"):
            return await super()._answer(request, handler)
        if (written := self._written(request)) is not None:
            return written

        async def guarded(request: web.Request) -> web.StreamResponse:
            self._authorize(request)
            return await handler(request)

        return await super()._answer(request, guarded)

    def _written(self, request: web.Request) -> web.Response | None:
        line = f"{request.method} {request.path}"
        for pattern, answer in self.settings["answers"].items():
            if fnmatchcase(line, pattern):
                return web.json_response(answer["body"], status=answer.get("status", 200))
        if self.settings["html"]:
            return web.Response(text=HTML, content_type="text/html")
        return None

    def _authorize(self, request: web.Request) -> None:
        if (status := self.settings["refuses_with"]) is not None:
            raise errors.too_many(status, is_index=request.path.startswith("/v1/"))
        key = self.settings["api_key"]
        given = request.headers.get("TRON-PRO-API-KEY")
        if key is None or given == key:
            return
        if given is not None:
            raise errors.key_refusal(401, "another key")
        if self.settings["without_key"] != "serve":
            raise errors.key_refusal(int(self.settings["without_key"]), "no key")

    async def list_transfers(self, request: web.Request) -> web.Response:
        if len(set(request.query)) != len(request.query):
            self.complain(f"doubled parameters: {request.query_string}")
        address = request.match_info["address"]
        return web.json_response(self.index.page(address, request.query, self.base_url))

    async def now_block(self, request: web.Request, *, is_solid: bool) -> web.Response:
        height = self.chain.solid if is_solid else self.chain.tip
        return web.json_response(self.chain.block(height) | {"transactions": []})

    async def get_block(self, request: web.Request, *, is_solid: bool) -> web.Response:
        if not self.settings["getblock"]:
            return web.Response(status=405, text="HTTP method POST is not supported by this URL")
        body = await self._body(request, {"id_or_num": str, "detail": bool, "visible": bool})
        highest = self.chain.solid if is_solid else self.chain.tip
        height = self._height(body.get("id_or_num", ""), highest)
        return web.json_response({} if height is None else self.chain.block(height))

    def _height(self, wanted: str, highest: int) -> int | None:
        """None where there is no such block."""
        if wanted == "":
            return highest
        if wanted.isdecimal() and len(wanted) != 64:
            return int(wanted) if int(wanted) <= highest else None
        if not HASH.fullmatch(wanted):
            raise errors.node_refusal("id must be legal block hash.", f"id_or_num {wanted!r}")
        height = int(wanted[:16], 16)
        return height if height <= highest and self.chain.block_id(height) == wanted else None

    async def block_by_number(self, request: web.Request, *, is_solid: bool) -> web.Response:
        body = await self._body(request, {"num": int, "visible": bool})
        highest = self.chain.solid if is_solid else self.chain.tip
        height = int(body.get("num", 0))
        return web.json_response(self.chain.block(height) if 0 <= height <= highest else {})

    async def info(self, request: web.Request, *, is_solid: bool) -> web.Response:
        body = await self._body(request, {"value": str, "visible": bool})
        value = body.get("value", "")
        if not re.fullmatch(r"([0-9a-fA-F]{2})*", value):
            raise errors.node_refusal(errors.PARSE % "INVALID hex String", f"value {value!r}")
        return web.json_response(self.receipts.find(value.lower(), solid=is_solid))

    async def call_contract(self, request: web.Request) -> web.Response:
        """Without "Error": what is wrong stands in `result` [S]."""
        texts = ("owner_address", "contract_address", "function_selector", "parameter")
        body = await self._body(request, dict.fromkeys(texts, str) | {"visible": bool})
        for name in ("owner_address", "contract_address"):
            address = body.get(name, "")
            is_base58 = to_hex(address) is not None and not address.startswith("41")
            if to_hex(address) is None or is_base58 != bool(body.get("visible", False)):
                self.complain(f"{name} {address!r}")
                return _failed("OTHER_ERROR", "class java.lang.IllegalArgumentException")
        token = self.chain.token(str(to_hex(body["contract_address"])))
        if token is None:
            return _failed("CONTRACT_VALIDATE_ERROR", "Smart contract is not exist.")
        if body.get("function_selector") not in CALLS:
            return _failed("OTHER_ERROR", "REVERT opcode executed")
        is_number = body["function_selector"] == "decimals()"
        answer = f"{token['decimals']:064x}" if is_number else _abi_string(token["symbol"])
        return web.json_response(
            {"result": {"result": True}, "energy_used": 935, "constant_result": [answer]}
        )

    async def _body(self, request: web.Request, fields: dict[str, type]) -> Document:
        body = await read_json(request)
        if not isinstance(body, dict):
            text = "class org.tron.json.JSONException : syntax error"
            raise errors.node_refusal(text, "the body is no JSON object")
        for name, value in body.items():
            if name not in fields:
                self.complain(f"{request.path}: unknown field {name}")
            elif type(value) is not fields[name]:
                raise errors.node_refusal(errors.PARSE % name, f"{name} is {value!r}")
        return body

    async def create(self, request: web.Request) -> web.Response:
        """Control: a transaction."""
        try:
            return web.json_response({"id": self.chain.create(await read_json(request))})
        except (KeyError, ValueError) as error:
            return wrong(str(error))

    async def mine(self, request: web.Request) -> web.Response:
        body = await read_json(request) or {}
        self.chain.mine(int(body.get("blocks", 1)), body.get("transactions", []))
        return web.json_response({"tip": self.chain.tip, "solid": self.chain.solid})

    async def fork(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        self.chain.fork(int(body["depth"]), body.get("dropped", []))
        return done()

    async def add_token(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        address = to_hex(body.pop("address"))
        if address is None:
            return wrong("no address")
        self.chain.add_token(address, body)
        return done()

    async def perform(self, action: str, subject: str) -> None:
        raise NotImplementedError("nothing is due later")

    def publish_custom(self, event: str, data: Document) -> list[str]:
        raise NotImplementedError("no events are sent")

    def conflict_body(self, request: web.Request) -> Document:
        return {"Error": "conflict"}

    def not_found_body(self) -> Document:
        return errors.index_body(404, "Not found")


def _failed(code: str, message: str) -> web.Response:
    result = {"code": code, "message": message.encode().hex()}
    return web.json_response({"result": result})


def _abi_string(text: str) -> str:
    raw = text.encode()
    return f"{32:064x}{len(raw):064x}{raw.hex().ljust(-(-len(raw) // 32) * 64, '0')}"
