"""What is left in the account that pays."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from payments.providers.ports import ProviderTimeout
from payments.providers.wompi_payouts.client import PayoutsClient, rows_of


def find_account(client: PayoutsClient) -> Mapping[str, Any] | None:
    """None if the contract has no such account. Raises ProviderError."""
    answer = client.get("/v1/accounts", "wompi_payouts.accounts")
    if not answer.is_success:
        raise ProviderTimeout(f"status {answer.status}")
    own = client.account.credentials["account_id"]
    return next((row for row in rows_of(answer) if row.get("id") == own), None)


def balance_of(row: Mapping[str, Any]) -> Decimal:
    """In pesos. Raises ProviderTimeout."""
    cents = row.get("balanceInCents")
    if not isinstance(cents, int) or isinstance(cents, bool):
        raise ProviderTimeout("the account shows no balance")
    return Decimal(cents) / 100


def read(client: PayoutsClient) -> Decimal:
    """For ReportsBalance."""
    if (row := find_account(client)) is None:
        raise ProviderTimeout("not an account of this contract")
    return balance_of(row)
