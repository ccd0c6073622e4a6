"""The API's reference: the page, the OpenAPI document and the Postman collection.

All of them show the requests of `catalogue` and the responses of `recordings.json`, which
tests/contract/test_reference.py records with RECORD=1.
"""
