"""The guarantees of the service under faults and load, and the figure of each."""

from typing import NamedTuple


class Guarantee(NamedTuple):
    """`done`: what an experiment does to the service. `figure`: what must be so afterwards."""

    title: str
    done: str
    figure: str


GUARANTEES: dict[str, Guarantee] = {
    "F1": Guarantee(
        "One idempotency key creates one payout",
        "500 concurrent requests with one key",
        "500 x 201, 1 payout, 1 hold, 1 provider call",
    ),
    "F2": Guarantee(
        "No balance is overdrawn",
        "200 concurrent payouts, top-ups and bill payments with a balance for 73; 200 orders"
        " completed at once, each callback sent twice",
        "73 x 201, 127 x 400 INSUFFICIENT_BALANCE, never negative, credited exactly",
    ),
    "F3": Guarantee(
        "A refusal does not use up the idempotency key",
        "refused for funds, funded, the same key again",
        "201",
    ),
    "F4": Guarantee(
        "An unknown result is never treated as a failure",
        "seven provider behaviours x 200 payouts, 100 top-ups, 100 bill payments",
        "0 double sends, 0 wrong releases, settled within 120 s",
    ),
    "F5": Guarantee(
        "A process may die at any point",
        "kill -9 at 8 points x 20, also over Wompi, where web processes die that start a charge",
        "0 doubled, 0 lost, ledger consistent",
    ),
    "F6": Guarantee(
        "The database may crash",
        "5 immediate restarts under load",
        "0 acknowledged writes lost or doubled, clients see only the JSON 503, first 2xx within"
        " 5 s",
    ),
    "F7": Guarantee(
        "Redis may be lost",
        "emptied, stopped for 60 s, started empty, hanging for 30 s, under load over two rails",
        "0 lost webhooks, expiries, payouts; 2xx with p99 < 2 s; deliveries resume within 30 s;"
        " limits fail open and are logged",
    ),
    "F8": Guarantee(
        "Every webhook arrives",
        "10,000 events; 20 pumps killed; database connections cut",
        "all delivered; 0 duplicates, but of attempts that a kill interrupted",
    ),
    "F9": Guarantee(
        "Every attempt has a valid signature",
        "5 attempts over 26 h 35 min",
        "5 of 5 verify, bodies byte-identical",
    ),
    "F10": Guarantee(
        "A bad receiver delays no other merchant",
        "1,000 due events of a receiver that hangs at connect, TLS, headers or body",
        "p95 of the others <= 1.5 x their own without it, or <= 50 ms",
    ),
    "F11": Guarantee(
        "A hostile receiver is bounded",
        "23 behaviours of a receiver: hangs, floods, endless and malformed responses",
        "an attempt ends within 10.5 s and 10 MB",
    ),
    "F12": Guarantee(
        "Webhooks reach no private address (SSRF)",
        "blocked addresses by literal, name, redirect, changing DNS answer",
        "0 connections",
    ),
    "F13": Guarantee(
        "An order has one final state",
        "expire, pay and fail the same order at the same instant x 1,000",
        "one final state, one event, late money in unmatched funds",
    ),
    "F14": Guarantee(
        "Rate limits are exact",
        "8 threads x 300 requests in one window",
        "exactly 100 pass, headers agree, other merchants unaffected",
    ),
    "F15": Guarantee(
        "Merchants are isolated from each other",
        "every route with an id, with another merchant's id",
        "byte for byte the response to an absent id",
    ),
    "F16": Guarantee(
        "The ledger and attempts are append-only",
        "UPDATE, DELETE, TRUNCATE; one row changed behind the triggers",
        "every statement fails; verify_ledger names the row",
    ),
    "F18": Guarantee(
        "The database may refuse writes",
        "5 times read-only under load, as after a failover",
        "writes get the JSON 503, reads are served, 0 lost or doubled, first write within 5 s"
        " without a restart",
    ),
    "F19": Guarantee(
        "A wrong clock ends no order",
        "a worker's clock two hours ahead",
        "0 of 900 payable orders ended, /readyz names the worker, the right clock continues",
    ),
    "F20": Guarantee(
        "A price quote cannot be exploited",
        "dust, coins beyond the quote, and 200 charges whose callbacks come at once, twice and"
        " in any order, while the price falls by half",
        "no coin is credited above what it was worth",
    ),
    "F21": Guarantee(
        "Hostile clients delay no other client",
        "500 connections, from 1 and from 50 addresses, that vanish, send nothing or never"
        " complete their body",
        "p95 of the others below 1 s, none fails",
    ),
    "F22": Guarantee(
        "A full disk stops no process",
        "the disk of the metrics has 0, 4, 64 or 128 KB left, then room again",
        "the process lives, and every count is there once there is room",
    ),
    "F23": Guarantee(
        "Statements of one merchant delay no other",
        "8 clients request the statement of 12,000 movements 15 times each, at once",
        "10 a minute are served, the others get 429; p95 of another merchant below 1 s, none fails",
    ),
    "F24": Guarantee(
        "A second account loses no sale and charges no payer twice",
        "1,000 orders with two PSE accounts, of which the first refuses connections; 1,000 whose"
        " first account acts and does not answer, does neither, refuses, or is late",
        "0 sales lost, 0 double charges, every doubt resolved by query",
    ),
    "F25": Guarantee(
        "Over the adapters of Wompi nothing is lost, doubled or wrong",
        "1,600 payouts whose calls meet lost answers, lost requests, 409, 429, 5xx and half a body;"
        " 20 kills of the rail among 800; 10 minutes of sales and payouts while Redis, database,"
        " processes and rails fail; events twice, reordered, lost and before the answer; the bank's"
        " page late",
        "0 doubled, 0 ends or amounts that the rail denies, a reason where no money moved",
    ),
    "F26": Guarantee(
        "A payment in coins is credited once, whatever the chain and its node do",
        "500 payments over two nodes of one's own that are killed 20 times, and lose blocks, while"
        " workers read them and are killed, too; reorganisations of depth 1 to 5, and one below"
        " what was final",
        "500 credited once, 0 lost, 0 doubled, to the smallest unit as the chain's own blocks say;"
        " nothing is taken back, and an operator is called",
    ),
    "F27": Guarantee(
        "No price is wrong while sources misbehave",
        "100 minutes of four coins, in which five sources and the official rate lie, lag, hang or"
        " send nonsense, two of three on average",
        "no price further than 3 % from the market; without agreement there is none",
    ),
    "F28": Guarantee(
        "A bank statement is imported whole or not at all",
        "100,000 movements; kill -9 at 20 points of their import",
        "all or nothing, never half, and once when it is tried again; within 60 s and 200 MB",
    ),
    "F29": Guarantee(
        "A payment is in one payment file that counts",
        "400 payouts, while the operators who close, approve and download batches and the workers"
        " beside them are killed 600 times, also between the download and the bank",
        "the bank, which pays each line of each file that it gets, pays each payout once",
    ),
    "F30": Guarantee(
        "A file of payouts is paid once",
        "10,000 lines; workers and people are killed 20 times while the file is checked, sent,"
        " approved and created, and senders 20 times beside them",
        "0 doubled, 0 lost, the result file equal to the books; checked and created within 120 s",
    ),
    "soak": Guarantee(
        "All of it at once",
        "10 minutes of mixed traffic under faults drawn at random",
        "0 lost, doubled, wrong or not sent; over within 120 s",
    ),
}
