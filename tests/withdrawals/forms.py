"""The form of a bank account as a person of the merchant sends it."""

from typing import Any

from tests.support.document_files import uploaded


def given(**other: Any) -> dict[str, Any]:
    number = "123-456789-01"
    return {
        "bank": "bancolombia",
        "account_type": "SAVINGS",
        "account_number": number,
        "account_number_again": number,
        "certificate": uploaded(),
        **other,
    }
