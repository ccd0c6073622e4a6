"""The bank's page at `async_payment_url`: a person approves, declines or leaves, and goes back."""

from html import escape
from urllib.parse import urlencode, urlsplit, urlunsplit

from aiohttp import web

from tests.rails.fake_server.store import Document
from tests.rails.wompi import errors
from tests.rails.wompi.merchant import Merchant
from tests.rails.wompi.transactions import FINAL, Transactions

DECISIONS = {"approve": "APPROVED", "decline": "DECLINED", "leave": None}
PAGE = """<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>Fake bank</title></head><body>
<h1>Fake bank</h1>
<p>{shop} asks for <strong id="amount">{amount} COP</strong>, reference
<code id="reference">{reference}</code>. This payment is <span id="status">{status}</span>.</p>
<form method="post">{buttons}</form>
</body></html>"""
BUTTON = '<button id="{name}" name="decision" value="{name}">{label}</button> '
OPEN = {"approve": "Approve", "decline": "Decline", "leave": "Leave without a decision"}
CLOSED = {"leave": "Back to the shop"}


class BankPage:
    def __init__(self, transactions: Transactions, merchant: Merchant) -> None:
        self._transactions = transactions
        self._merchant = merchant

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/bank/{id}", self.show), web.post("/bank/{id}", self.decide)]

    async def show(self, request: web.Request) -> web.Response:
        wire = self._wire(request)
        labels = CLOSED if wire["status"] in FINAL else OPEN
        buttons = "".join(BUTTON.format(name=name, label=labels[name]) for name in labels)
        page = PAGE.format(
            shop=escape(wire["merchant"]["name"]),
            amount=f"{wire['amount_in_cents'] / 100:,.2f}",
            reference=escape(wire["reference"]),
            status=wire["status"],
            buttons=buttons,
        )
        return web.Response(text=page, content_type="text/html")

    async def decide(self, request: web.Request) -> web.Response:
        """The decision counts before the redirect; the way back proves nothing."""
        wire = self._wire(request)
        decision = str((await request.post()).get("decision"))
        if decision not in DECISIONS:
            return web.Response(status=400, text="No such decision")
        status = DECISIONS[decision]
        if status:
            self._transactions.finish(wire["id"], status)
        if not wire["redirect_url"]:
            return web.Response(text="This payment has no way back: no redirect_url was sent.")
        return web.Response(status=303, headers={"Location": self._way_back(wire)})

    def _way_back(self, wire: Document) -> str:
        """`?id=<transaction>[&env=test]` [S]/[?]; a query of the shop's own stays."""
        added = {"id": wire["id"]}
        if self._merchant.settings["return_env"] and self._merchant.environment == "test":
            added["env"] = "test"
        parts = urlsplit(wire["redirect_url"])
        query = "&".join(part for part in (parts.query, urlencode(added)) if part)
        return urlunsplit(parts._replace(query=query))

    def _wire(self, request: web.Request) -> Document:
        row = self._transactions.rows.get(request.match_info["id"])
        if row is None or self._is_unpublished(row["wire"]):
            raise errors.not_found()
        return dict(row["wire"])

    def _is_unpublished(self, wire: Document) -> bool:
        extra = wire["payment_method"]["extra"]
        return "async_payment_url" not in extra and "url" not in extra
