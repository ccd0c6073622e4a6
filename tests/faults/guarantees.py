"""The guarantees of the service under faults and load, and the figure of each."""

GUARANTEES: dict[str, tuple[str, str]] = {
    "F1": (
        "One key, one payout",
        "500 concurrent requests with one key: 500 x 201, 1 payout, 1 hold, 1 provider call",
    ),
    "F2": (
        "No overdraft",
        "200 threads, payouts, top-ups and bills mixed, balance for 73: 73 x 201,"
        " 127 x 400 INSUFFICIENT_BALANCE, never negative",
    ),
    "F3": ("A refusal burns nothing", "refused for funds, funded, same key: 201"),
    "F4": (
        "Unknown is never failed",
        "seven provider behaviours x 200 payouts: 0 double sends, 0 wrong releases,"
        " converged within 120 s",
    ),
    "F5": (
        "Crash anywhere",
        "kill -9 at 8 points x 20: 0 doubled, 0 lost, invariants hold",
    ),
    "F6": (
        "Database crash",
        "5 immediate restarts under load: 0 acknowledged writes lost or doubled, clients see"
        " only the JSON 503, first 2xx within 5 s",
    ),
    "F7": (
        "Redis gone",
        "emptied, stopped for 60 s, started empty, hanging: 0 lost webhooks, expiries, payouts;"
        " 2xx with p99 < 2 s, deliveries resume within 30 s, limits fail open and are logged",
    ),
    "F8": (
        "Webhooks arrive",
        "10,000 events: 10,000 delivered, 0 duplicates; with kills all delivered, duplicates only"
        " of attempts that a kill cut",
    ),
    "F9": (
        "Every attempt verifies",
        "5 of 5 attempts over 26 h 35 min, bodies byte-identical",
    ),
    "F10": (
        "One bad receiver slows nobody",
        "1,000 due events of one that hangs at connect, TLS, headers, body: the others'"
        " p95 <= 1.5 x their baseline",
    ),
    "F11": (
        "Hostile receivers are bounded",
        "an attempt ends within 10.5 s and 10 MB, whatever the receiver does",
    ),
    "F12": (
        "No request forgery",
        "0 connections to any blocked address, by literal, name, redirect, changing answer",
    ),
    "F13": (
        "One final state",
        "expire, pay and fail at the same instant x 1,000: one final state, one event, late money"
        " to unmatched funds",
    ),
    "F14": (
        "Exact limits",
        "8 threads x 300 in one window: exactly 100 pass, headers agree, others untouched",
    ),
    "F15": (
        "Tenants are walls",
        "every id-taking route x another merchant's id: the bytes of an absent id",
    ),
    "F16": (
        "Append-only books",
        "UPDATE, DELETE, TRUNCATE on postings and attempts fail; verify_ledger names one changed"
        " row",
    ),
    "F18": (
        "A database without writes",
        "5 times read-only under load, as after a failover: writes are the JSON 503, reads are"
        " served, 0 lost or doubled, first write within 5 s without a restart",
    ),
    "F19": (
        "A wrong clock",
        "a worker two hours ahead: 0 of 900 payable orders ended, /readyz names it, and the right"
        " clock goes on",
    ),
    "F20": (
        "A quote is no option",
        "dust, coins beyond the quote, words of the network x 200 at once, twice and shuffled: no"
        " coin is credited above what it was worth",
    ),
    "F21": (
        "Hostile clients delay nobody",
        "500 connections from 1 and from 50 addresses that vanish, say nothing or never send their"
        " body: others' p95 below 1 s, none fails",
    ),
    "soak": (
        "Everything at once",
        "10 minutes of mixed traffic under faults drawn at random: 0 lost, doubled, wrong, untold;"
        " over within 120 s",
    ),
}
