"""Which statuses the document names for top-ups and bills: what can be answered, and no other."""

import pytest

from tests.contract.openapi_document import Document, operations

ALWAYS = {"400", "401", "429", "500", "503"}


@pytest.mark.parametrize(
    ("method", "path", "success", "errors"),
    [
        ("get", "/bills/agreements", "200", ALWAYS | {"400"}),
        ("post", "/bills/check", "200", ALWAYS | {"400", "408", "413", "415"}),
        ("post", "/bills/pay", "201", ALWAYS | {"400", "408", "413", "415"}),
        ("get", "/bills/payments", "200", ALWAYS | {"400"}),
        ("get", "/bills/payments/{id}", "200", ALWAYS | {"404"}),
        ("get", "/topup/operators", "200", ALWAYS),
        ("get", "/topup", "200", ALWAYS | {"400"}),
        ("post", "/topup", "201", ALWAYS | {"400", "408", "413", "415"}),
        ("get", "/topup/{id}", "200", ALWAYS | {"404"}),
    ],
)
def test_each_operation_documents_exactly_these_statuses(
    document: Document,
    method: str,
    path: str,
    success: str,
    errors: set[str],
) -> None:
    responses = operations(document)[(method, path)]["responses"]
    assert set(responses) == errors | {success}
