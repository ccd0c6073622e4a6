"""The API's reference: one catalogue of examples behind the page, the document and the collection.

`catalogue` says what an example asks, `answers.json` what the service answered when it was asked
(tests/contract/test_reference.py plays them, and records them with RECORD=1).
"""
