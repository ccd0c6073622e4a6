"""A merchant's program on the Python client that openapi-generator makes; run as a process.

merchant.py BASE_URL STEP, with the generated package on PYTHONPATH and the keys in the environment.
A step prints what it saw as JSON. merchant.php has the same steps.
"""

import json
import os
import sys
from typing import Any

import openapi_client as api
from bodies import ORDER, PAYOUT


def client(base_url: str) -> api.ApiClient:
    keys = {"apiKey": os.environ["API_KEY"], "apiSecret": os.environ["API_SECRET"]}
    return api.ApiClient(api.Configuration(host=base_url, api_key=keys))


def create(service: api.ApiClient, **changes: Any) -> api.OrderCreated:
    body = api.OrderCreateRequest.from_dict({**ORDER, **changes})
    answer = api.CollectionsApi(service).create_collection(body)
    assert answer.success is True
    return answer.data


def order(service: api.ApiClient) -> Any:
    """Create, read, list."""
    created = create(service)
    read = api.CollectionsApi(service).get_collection(created.id).data
    listed = api.CollectionsApi(service).list_collections(status="PENDING", limit=5).data
    return {
        "created": [created.id, created.reference, created.amount, created.status.value],
        "expires": created.expires_at > created.created_at,
        "read": [read.id, read.customer.name, read.base_amount, read.fee_amount, read.metadata],
        "listed": [each.id for each in listed],
    }


def replay(service: api.ApiClient) -> Any:
    """Create twice with one key."""
    body = api.OrderCreateRequest.from_dict(ORDER)
    answers = [
        api.CollectionsApi(service).create_collection_with_http_info(body, idempotency_key="once")
        for _ in range(2)
    ]
    return {
        "statuses": [each.status_code for each in answers],
        "ids": [each.data.data.id for each in answers],
        "replayed": [each.headers.get("idempotent-replayed") for each in answers],
    }


def refusal(service: api.ApiClient) -> Any:
    """A reference that is taken: what the client itself cannot know."""
    create(service)
    try:
        create(service)
    except api.ApiException as error:
        said = error.data.error
        return {
            "status": error.status,
            "success": error.data.success,
            "code": said.code,
            "message": said.message,
            "field": said.details.var_field,
        }
    raise AssertionError("It was not refused.")


def refund(service: api.ApiClient) -> Any:
    """Paid, asked back in part, read, listed, returned."""
    created = create(service)
    sandbox = api.SandboxApi(service)
    paid = sandbox.sandbox_resolve_collection(
        created.id, api.OrderOutcomeRequest(status="COMPLETED", method="PSE")
    ).data
    refunds = api.RefundsApi(service)
    wanted = api.RefundCreateRequest(amount=20000, reason="Agotado")
    asked = refunds.create_refund(created.id, wanted, idempotency_key="refund-1").data
    outcome = api.RefundOutcomeRequest(status="COMPLETED")
    done = sandbox.sandbox_resolve_refund(asked.id, outcome).data
    return {
        "paid": [paid.status.value, paid.paid_at is not None],
        "asked": [asked.amount, asked.status.value],
        "done": done.status.value,
        "read": refunds.get_refund(created.id, asked.id).data.status.value,
        "listed": [each.id == asked.id for each in refunds.list_refunds(created.id).data],
    }


def payout(service: api.ApiClient) -> Any:
    """Sent from a balance, read, listed."""
    credit = api.BalanceCreditRequest(currency="COPM", amount=500000)
    balance = api.SandboxApi(service).sandbox_credit_balance(credit).data
    payouts = api.PayoutsApi(service)
    body = api.PayoutCreateRequest.from_dict(PAYOUT)
    made = payouts.create_payout(body, idempotency_key="payout-1").data
    read = payouts.get_payout(made.payout_id).data
    return {
        "balance": [balance.currency.value, balance.available],
        "made": [made.amount, made.fee_amount, made.status.value, made.network],
        "read": [read.payout_id == made.payout_id, read.completed_at],
        "listed": [each.payout_id == made.payout_id for each in payouts.list_payouts().data],
    }


def reads(service: api.ApiClient) -> Any:
    """How many elements the other lists have."""
    api.SandboxApi(service).sandbox_credit_balance(
        api.BalanceCreditRequest(currency="COPM", amount=500000)
    )
    create(service)
    return {
        "statistics": api.CollectionsApi(service).get_collection_statistics().data.total,
        "balance": len(api.BalanceApi(service).list_balances().data),
        "movements": len(api.BalanceApi(service).list_movements().data),
        "events": len(api.EventsApi(service).list_events().data),
        "settlements": len(api.SettlementsApi(service).list_settlements().data),
        "methods": len(api.PayoutsApi(service).list_payout_methods().data.methods),
        "operators": len(api.TopUpsApi(service).list_topup_operators().data),
        "agreements": len(api.BillPaymentsApi(service).list_billing_agreements().data.items),
    }


def webhook(service: api.ApiClient) -> Any:
    """The body of a webhook, from standard input."""
    event = api.PaymentPartiallyRefundedEvent.from_json(sys.stdin.read())
    data = event.data
    return [event.event, data.refund_id, data.remaining_amount, data.total_refunded]


STEPS = (order, replay, refusal, refund, payout, reads, webhook)

if __name__ == "__main__":
    _program, base_url, name = sys.argv
    with client(base_url) as service:
        print(json.dumps({step.__name__: step for step in STEPS}[name](service), default=str))
