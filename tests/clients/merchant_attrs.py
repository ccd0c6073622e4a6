"""A merchant's program on the client that openapi-python-client makes; run as a process.

merchant_attrs.py BASE_URL STEP, with its package on PYTHONPATH and keys in the environment.
A step prints what it saw as JSON. merchant.py has the same steps.
"""

import json
import os
import sys
from typing import Any, TypeVar

from bodies import ORDER, PAYOUT
from pasarela_client import AuthenticatedClient, models
from pasarela_client.api.balance import list_balances, list_movements
from pasarela_client.api.bill_payments import list_billing_agreements
from pasarela_client.api.collections import (
    create_collection,
    get_collection,
    get_collection_statistics,
    list_collections,
)
from pasarela_client.api.events import list_events
from pasarela_client.api.payouts import create_payout, get_payout, list_payout_methods, list_payouts
from pasarela_client.api.refunds import create_refund, get_refund, list_refunds
from pasarela_client.api.sandbox import (
    sandbox_credit_balance,
    sandbox_resolve_collection,
    sandbox_resolve_refund,
)
from pasarela_client.api.settlements import list_settlements
from pasarela_client.api.top_ups import list_topup_operators

T = TypeVar("T")


def authenticated(base_url: str) -> AuthenticatedClient:
    """It knows one header for credentials; the other is one of its `headers`."""
    return AuthenticatedClient(
        base_url,
        token=os.environ["API_KEY"],
        prefix="",
        auth_header_name="X-Api-Key",
        headers={"X-Api-Secret": os.environ["API_SECRET"]},
        httpx_args={"trust_env": False},  # The service is on this machine: never through a proxy.
        raise_on_unexpected_status=True,
    )


def taken(answer: models.ErrorResponse | T | None) -> T:
    """The answer; a refusal ends the program."""
    assert answer is not None
    assert not isinstance(answer, models.ErrorResponse), answer
    return answer


def create(client: AuthenticatedClient) -> models.OrderCreated:
    body = models.OrderCreateRequest.from_dict(ORDER)
    answer = taken(create_collection.sync(client=client, body=body))
    assert answer.success is True
    return answer.data


def credit(client: AuthenticatedClient) -> models.CreditedBalance:
    body = models.BalanceCreditRequest.from_dict({"currency": "COPM", "amount": 500000})
    return taken(sandbox_credit_balance.sync(client=client, body=body)).data


def order(client: AuthenticatedClient) -> Any:
    """Create, read, list."""
    created = create(client)
    read = taken(get_collection.sync(created.id, client=client)).data
    pending = models.ListCollectionsStatus.PENDING
    listed = taken(list_collections.sync(client=client, status=pending, limit=5)).data
    metadata = read.metadata.to_dict()
    return {
        "created": [created.id, created.reference, created.amount, created.status],
        "expires": created.expires_at > created.created_at,
        "read": [read.id, read.customer.name, read.base_amount, read.fee_amount, metadata],
        "listed": [each.id for each in listed],
    }


def replay(client: AuthenticatedClient) -> Any:
    """Create twice with one key."""
    body = models.OrderCreateRequest.from_dict(ORDER)
    answers = [
        create_collection.sync_detailed(client=client, body=body, idempotency_key="once")
        for _ in range(2)
    ]
    return {
        "statuses": [each.status_code for each in answers],
        "ids": [taken(each.parsed).data.id for each in answers],
        "replayed": [each.headers.get("idempotent-replayed") for each in answers],
    }


def refusal(client: AuthenticatedClient) -> Any:
    """A reference that is taken: what the client itself cannot know."""
    create(client)
    body = models.OrderCreateRequest.from_dict(ORDER)
    answer = create_collection.sync_detailed(client=client, body=body)
    assert isinstance(answer.parsed, models.ErrorResponse), "It was not refused."
    said = answer.parsed.error
    return {
        "status": answer.status_code,
        "success": answer.parsed.success,
        "code": said.code,
        "message": said.message,
        "field": said.details.field if said.details else None,
    }


def refund(client: AuthenticatedClient) -> Any:
    """Paid, asked back in part, read, listed, returned."""
    created = create(client)
    payment = models.OrderOutcomeRequest.from_dict({"status": "COMPLETED", "method": "PSE"})
    paid = taken(sandbox_resolve_collection.sync(created.id, client=client, body=payment)).data
    wanted = models.RefundCreateRequest(amount=20000, reason="Agotado")
    answer = create_refund.sync(created.id, client=client, body=wanted, idempotency_key="refund-1")
    asked = taken(answer).data
    outcome = models.RefundOutcomeRequest.from_dict({"status": "COMPLETED"})
    done = taken(sandbox_resolve_refund.sync(asked.id, client=client, body=outcome)).data
    listed = taken(list_refunds.sync(created.id, client=client)).data
    return {
        "paid": [paid.status, paid.paid_at is not None],
        "asked": [asked.amount, asked.status],
        "done": done.status,
        "read": taken(get_refund.sync(created.id, asked.id, client=client)).data.status,
        "listed": [each.id == asked.id for each in listed],
    }


def payout(client: AuthenticatedClient) -> Any:
    """Sent from a balance, read, listed."""
    balance = credit(client)
    body = models.PayoutCreateRequest.from_dict(PAYOUT)
    made = taken(create_payout.sync(client=client, body=body, idempotency_key="payout-1")).data
    read = taken(get_payout.sync(made.payout_id, client=client)).data
    listed = taken(list_payouts.sync(client=client)).data
    return {
        "balance": [balance.currency, balance.available],
        "made": [made.amount, made.fee_amount, made.status, made.network],
        "read": [read.payout_id == made.payout_id, read.completed_at],
        "listed": [each.payout_id == made.payout_id for each in listed],
    }


def reads(client: AuthenticatedClient) -> Any:
    """How many elements the other lists have."""
    credit(client)
    create(client)
    return {
        "statistics": taken(get_collection_statistics.sync(client=client)).data.total,
        "balance": len(taken(list_balances.sync(client=client)).data),
        "movements": len(taken(list_movements.sync(client=client)).data),
        "events": len(taken(list_events.sync(client=client)).data),
        "settlements": len(taken(list_settlements.sync(client=client)).data),
        "methods": len(taken(list_payout_methods.sync(client=client)).data.methods),
        "operators": len(taken(list_topup_operators.sync(client=client)).data),
        "agreements": len(taken(list_billing_agreements.sync(client=client)).data.items),
    }


def webhook(_client: AuthenticatedClient) -> Any:
    """The body of a webhook, from standard input."""
    event = models.PaymentPartiallyRefundedEvent.from_dict(json.load(sys.stdin))
    data = event.data
    return [event.event, data.refund_id, data.remaining_amount, data.total_refunded]


STEPS = (order, replay, refusal, refund, payout, reads, webhook)

if __name__ == "__main__":
    _program, base_url, name = sys.argv
    with authenticated(base_url) as client:
        print(json.dumps({step.__name__: step for step in STEPS}[name](client)))
