"""A strict fake of Wompi's "Pagos a Terceros": accounts under /v1, Bre-B keys under /v2.

    python -m tests.rails.wompi_payouts --port 9002 --state-file payouts.sqlite3

`tests/rails/fake_server/__init__.py` describes the control endpoints, faults and settings that all
fakes have. Added here:

POST /_control/transactions/{id|reference}         {"status": …, "failureReason": {…}}
POST /_control/transactions/{id|reference}/return  the money comes back: no event, no new status
POST /_control/payouts/{id|reference}              {"status": "APPROVE" | "NOT_APPROVED" | …}
GET  /_control/state                               also paid_in_cents by line reference

Marks as in tests/rails/wompi. A reference may be paid twice here: only the idempotency key, for its
24 hours, keeps a repeated request out.

environment          "test" or "prod": sandbox keys, transactionStatus, balance-recharge [S]
api_key, principal_id, events_secret
                     null: `fake-test-api-key`, a fixed UUID, `test_events_0123456789fakePAYOUTS`
balance_in_cents     100000000000; of the only account, before the first movement
daily_limit_in_cents 150000000000 [S] = 1,500,000,000 COP; EXC_017 above it
daily_batches        3800 [S]
fee_in_cents         0 [?]; then VAT of 19 % and 4 of 1000 (GMF) are charged, too
idempotency_seconds  86400 [S]
refusal_spends_key   true [?]; a refused request has used its key
get_envelope         "mixed": banks, accounts and limits come bare; "always", "never" [?]
settle_seconds       1.0; PROCESSING after half of it; null: only the control endpoint ends one
outcome              "APPROVED" [?], "FAILED" or null, without a transactionStatus
failure              {"code": "C01", "message": …}: so in the event; the record has the text [S]
approval             false; true: PENDING_APPROVAL until APPROVE
failed_batch_status  "REJECTED" or "PARTIAL_PAYMENT" [?] of a batch of which nothing was paid
bad_key_at_send      "refuse" with the code of the resolution, "fail" later, "count": 201 with
                     `failed` above zero [?]
extra_keys           {}; key: holder. The only keys of "prod"
legal_person         "JURIDICA" or "LEGAL" [?]; the document names NATURAL only
by_reference         "page", "list" or "one" [?]: shape of GET /v1/transactions/{reference}
unknown_reference    "empty" or "not_found" [?]
versions_apart       false; true: /v1 does not show payouts of /v2, and the reverse [?]
health               "HEALTHY", "PARTIAL_OUTAGE", "UNHEALTHY"
events_left_out      []; names of events that are not sent
event_environment    "other": signed with the other environment's secret; there is no such field [S]

Files of payouts (POST /v1/payouts/file) and presigned reports are not here: 404 and a complaint.
"""
