"""The API's reference: one catalogue of examples behind the page, the document and the collection.

`catalogue` has the requests, `recordings.json` the responses of the service to them
(tests/contract/test_reference.py sends them, and records them with RECORD=1).
"""
