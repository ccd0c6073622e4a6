"""A strict fake of a Tron API in the shape of TronGrid: a node, and its index of accounts.

    python -m tests.chains.fake_tron --port 9005 --state-file tron.sqlite3 --set chain_id=cd8690dc

`tests/rails/fake_server/__init__.py` describes the control endpoints, faults and settings that all
fakes have. Added here:

POST /_control/transactions  {"transfers": [{"to", "value", "from", "token", "type"}], "result",
                             "logs_before", "mined"} a transaction in a block of its own; of a
                             transfer only `to` and `value` are needed. Its id is the answer
POST /_control/mine          {"blocks": 1}; {"transactions": [ids]} puts waiting ones into the first
POST /_control/fork          {"depth": 2, "dropped": [ids]} other blocks instead of the last ones;
                             their transactions move to the first of them, except the dropped ones
POST /_control/tokens        {"address", "symbol", "name", "decimals"} a contract that exists

Marks: [S] read in a public source (documentation of java-tron's HTTP API and of TronGrid, and their
issues), [?] not known; each [?] is a setting with its variants.

chain_id              "2b6653dc": the end of the genesis block's id [S]; Nile cd8690dc, Shasta
                      94a9059e [S]
api_key               null: the header TRON-PRO-API-KEY is not looked at. Else another key is 401
                      {"Error": "ApiKey not exists"} [S]
without_key           "serve", "401" or "403" [?]: what a request without the header gets, while
                      there is a key
solid_depth           19; blocks above a block that make it solid: 19 of 27 producers [S]
block_seconds         3 [S]
mines_itself          false; true: an empty block each `block_seconds`, too
tip_age_seconds       0; how old the newest block is
solidity_lag_blocks   0; how far the solidity API lies behind the solid block
list_lag_blocks       0; the newest blocks that lists do not show yet, although receipts do
receipt_lag_blocks    0; the newest blocks whose receipts are {} although lists show them
lost_unconfirmed      []; ids missing from lists while they are not solid
lost_confirmed        []; ids missing from lists with only_confirmed [S]
lost                  []; ids missing from each list [S]
repeats               1; how many times a list has each row
list_order            "desc" or "any" [?]: without order_by; "any" is by id
only_to_works         true [?]; false: the parameter is taken and changes nothing
has_links             true [?]; meta.links.next beside meta.fingerprint
fingerprint_lost      false; true: a page that is not the last has no fingerprint [S]
token_info            "full", "empty" ({} as for a token that was created by the same transaction
                      [S]) or "hex" (its address in hex [?])
row_addresses         "base58" or "hex" [?]
value_as              "string" [S] or "number" [?]
log_addresses         "evm" (20 bytes [S]) or "tron" (with 41 [?])
success_word          "SUCCESS" or "SUCESS" [S]: the misspelling of the protocol's enum
getblock              true; false: 405, a node too old for it [?]
refuses_with          null; 429, 403 or 503: all requests, with TronGrid's own bodies [S]
html                  false; true: status 200 and a page of HTML
answers               {}; {"POST /wallet/getblock": {"status": 200, "body": …}} instead of what is
                      true; the name is a pattern
"""
