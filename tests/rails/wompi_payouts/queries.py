"""Everything that is asked with GET."""

from collections.abc import Callable
from typing import Any

from aiohttp import web

from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document
from tests.rails.wompi_payouts import errors, listing
from tests.rails.wompi_payouts.bre_b import Keys
from tests.rails.wompi_payouts.company import BANKS, Company
from tests.rails.wompi_payouts.envelope import envelope
from tests.rails.wompi_payouts.payouts import Payouts

# "Some GETs answer bare" [S]; which is not documented [?]: `get_envelope` has the variants.
BARE = {"/v1/banks", "/v1/accounts", "/v1/limits"}
Handler = Callable[[web.Request], Any]


class Queries:
    def __init__(
        self,
        settings: Settings,
        company: Company,
        keys: Keys,
        payouts: Payouts,
        complain: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._company = company
        self._keys = keys
        self._payouts = payouts
        self._complain = complain

    def routes(self) -> list[web.RouteDef]:
        found = [
            ("/v1/banks", lambda _: BANKS),
            ("/v1/accounts", lambda _: self._company.accounts()),
            ("/v1/limits", lambda _: self._company.limits()),
            ("/v1/payouts", self._list),
            ("/v1/transactions/{reference}", self._by_reference),
            ("/v2/breb/keys/resolve/{key}", self._resolve),
            ("/v1/reports/payouts", self._report),
        ]
        for version in ("v1", "v2"):
            found += [
                (f"/{version}/payouts/{{id}}", self._payout),
                (f"/{version}/payouts/{{id}}/transactions", self._lines),
                (f"/{version}/payouts/{{id}}/transactions/{{line}}", self._line),
            ]
        health = [web.get(path, self._health) for path in ("/health", "/v1/health")]
        return health + [web.get(path, self._answering(query)) for path, query in found]

    def _answering(self, query: Handler) -> Callable[[web.Request], Any]:
        async def answer(request: web.Request) -> web.Response:
            self._company.authorize(request)
            data = query(request)
            wanted = self._settings["get_envelope"]
            is_bare = wanted == "never" or (wanted == "mixed" and request.path in BARE)
            return web.json_response(data if is_bare else envelope(data))

        return answer

    async def _health(self, request: web.Request) -> web.Response:
        """Where it is and whether it wants credentials is not documented: both work here [?]."""
        return web.json_response({"status": self._settings["health"]})

    def _list(self, request: web.Request) -> Document:
        self._check_parameters(request, listing.PAYOUT_PARAMETERS)
        rows = self._payouts.rows
        wires = [rows[number]["wire"] for number in self._payouts.searchable(rows)]
        return listing.page_of(request.query, listing.select_payouts(request.query, wires))

    def _payout(self, request: web.Request) -> Document:
        number = self._payout_id(request)
        row = self._payouts.rows[number]
        self._payouts.rows.save(number, row | {"asked": row["asked"] + 1})
        return dict(row["wire"])

    def _lines(self, request: web.Request) -> Document:
        self._check_parameters(request, listing.LINE_PARAMETERS)
        numbers = self._payouts.lines_of(self._payout_id(request))
        found = listing.select_lines(request.query, [self._shown(number) for number in numbers])
        return listing.page_of(request.query, found)

    def _line(self, request: web.Request) -> Document:
        number = request.match_info["line"]
        if number not in self._payouts.lines_of(self._payout_id(request)):
            raise errors.refuse(errors.NOT_FOUND)
        return self._shown(number)

    def _by_reference(self, request: web.Request) -> Any:
        """Shape and answer for an unknown reference: not documented [?]."""
        self._check_parameters(request, listing.LINE_PARAMETERS)
        reference = request.match_info["reference"]
        lines = self._payouts.lines
        shown = self._payouts.searchable(lines)
        numbers = [key for key in shown if lines[key]["wire"]["reference"] == reference]
        if not numbers and self._settings["unknown_reference"] == "not_found":
            raise errors.refuse(errors.NOT_FOUND)
        found = listing.select_lines(request.query, [self._shown(key) for key in numbers])
        shape = self._settings["by_reference"]
        if shape == "one" and found:
            return found[-1]
        return found if shape == "list" else listing.page_of(request.query, found)

    def _shown(self, number: str) -> Document:
        row = self._payouts.lines[number]
        self._payouts.lines.save(number, row | {"asked": row["asked"] + 1})
        return dict(row["wire"])

    def _payout_id(self, request: web.Request) -> str:
        number = request.match_info["id"]
        version = int(request.path[2])
        row = self._payouts.rows.get(number)
        if row is None or (self._settings["versions_apart"] and row["version"] != version):
            raise errors.refuse(errors.NOT_FOUND)
        return number

    def _resolve(self, request: web.Request) -> Document:
        self._check_parameters(request, {"keyType"})
        return self._keys.resolve(request.match_info["key"], request.query.get("keyType", ""))

    def _report(self, request: web.Request) -> list[Document]:
        """The only place that shows a return; its layout is the fake's own [?]."""
        self._check_parameters(request, {"periodicity", "reportType"})
        return [
            row["wire"] | {"payoutId": row["payoutId"], "returned": row["returned"]}
            for row in self._payouts.lines.values()
        ]

    def _check_parameters(self, request: web.Request, known: set[str]) -> None:
        if unknown := sorted(set(request.query) - known):
            self._complain(f"GET {request.path}: unknown parameters {unknown}")
