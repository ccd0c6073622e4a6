"""A strict fake of Wompi's collections API, under /v1 like the real one.

    python -m tests.rails.wompi --port 9001 --state-file wompi.sqlite3 --set pse_resolution=payer

`tests/rails/fake_server/__init__.py` describes the control endpoints, faults and settings that all
fakes have. Added here:

POST /_control/transactions/{id|reference}       {"status": "APPROVED", "status_message": null}
POST /_control/transactions/{id|reference}/copy  {"status": …} the reference with another id

Marks: [S] read in a public source, [M] measured in the sandbox by others, [?] not known; each [?]
is a setting with its variants.

environment          "test" or "prod": prefixes of keys, banks, sandbox_status [S]
public_key, private_key, integrity_secret, events_secret
                     null: `pub_test_0123456789fakeFAKE`, `test_integrity_0123456789fakeFAKE` …
merchant_id          1292; the first part of the ids of transactions [S]
acceptance_seconds   3600 [?]; how long the two tokens live
refusal_spends_acceptance  true [?]; a refusal after the check of the tokens has used them
error_shape          "documented" (UNPROCESSABLE with a reason for the missing method, messages for
                     the others), "reason", "messages" [?]: where the measured texts stand
pse_description_max  30 or 64; the documents say both
pse_minimum_cents    150000 [?]; null: no minimum
bank_placeholder     false; true: bank 0 "A continuación seleccione su banco" in the sandbox, too
url_delay_seconds    1.0 [M]; null: never
nequi_delay_seconds  1.0
pse_resolution       "with_url": bank 1 approves at the instant of its URL, as in the sandbox [M];
                     "payer": on the bank's page, as in production
qr_resolution        "with_image" [?]: `sandbox_status` counts at the instant of the image;
                     "payer": the control endpoint decides, as in production
nequi_other_number   "ERROR" [?]; for numbers other than 3991111111 (APPROVED) and 3992222222
                     (DECLINED), which the document does not name [?]; null stays PENDING
outcome              null; APPROVED, DECLINED, ERROR: of each new transaction, whatever its bank
refusal_has_url      false; a terminal status without URL is a refusal
status_messages      by status; "Fondos insuficientes" is one of a bank [?]
cus_field            "traceability_code", "external_identifier" or null [?]
pending_seconds      null: a PENDING never dies [?]; else it becomes `pending_ends_as`
expiration_ends_as   null [?]; DECLINED or ERROR at `expiration_time`
return_env           true; &env=test on the way back [?]

The sandbox: bank 1 approves, 2 declines, 3 → ERROR [M]; `sandbox_status` of a Bancolombia QR. In
"prod" the payer's page or the control endpoint decides. Cards, links and Wompi's own instalments
are not here: 422 or 404 and a complaint.
"""
