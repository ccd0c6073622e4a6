"""A new secret with an overlap: what libraries of merchants accept before, during and after it."""

from datetime import timedelta
from typing import Any

import pytest
import standardwebhooks.webhooks
import svix.webhooks
import time_machine

from merchants import services as accounts
from payments.core import clock
from payments.core.models import AuditEntry
from tests.support.fixtures import ApiClient
from tests.support.outgoing_payments import refusal
from tests.webhooks.conftest import publish, run_dispatcher
from tests.webhooks.receivers import Receiver, Request
from tests.webhooks.test_endpoint_deliveries import at_account, endpoint, fresh
from tests.webhooks.verification import verify_contract
from webhooks import tasks
from webhooks.endpoint_models import EarlierSecret

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/webhook-endpoints"
LIBRARIES = [
    (standardwebhooks.webhooks.Webhook, standardwebhooks.webhooks.WebhookVerificationError),
    (svix.webhooks.Webhook, svix.webhooks.WebhookVerificationError),
]


def rotate(api: ApiClient, endpoint_id: str, key: str | None = None, **body: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return api.post(f"{PATH}/{endpoint_id}/rotate-secret", body, headers=headers)


def rotated(api: ApiClient, endpoint_id: str, **body: Any) -> str:
    answer = rotate(api, endpoint_id, **body)
    assert answer.status_code == 201, answer.body
    secret: str = answer.body["data"]["secret"]
    return secret


def delivered(api: ApiClient, receiver: Receiver, number: int) -> Request:
    publish(fresh(api), number)
    run_dispatcher()
    return receiver.requests[-1]


def accepts(library: tuple[Any, Any], secret: str, request: Request) -> bool:
    verifier, refused = library
    try:
        verifier(secret).verify(request.body, request.headers)
    except refused:
        return False
    return True


def check(request: Request, *, accepted: list[str], refused: list[str], contract: str) -> None:
    for library in LIBRARIES:
        assert [accepts(library, secret, request) for secret in accepted] == [True] * len(accepted)
        assert [accepts(library, secret, request) for secret in refused] == [False] * len(refused)
    now = int(clock.now().timestamp() * 1000)
    for secret in accepted + refused:
        is_valid = verify_contract(request.headers, request.body, secret, now)
        assert is_valid == (secret == contract)


@pytest.mark.parametrize("is_account", [False, True])
@pytest.mark.parametrize("signature", ["OLD", "NEW"])
def test_libraries_verify_before_during_and_after_a_rotation(
    api: ApiClient, receiver: Receiver, is_account: bool, signature: str
) -> None:
    if is_account:
        old = at_account(api, receiver).webhook_secret
        of = api.get(PATH).body["data"][0]["id"]
    else:
        made = endpoint(api, receiver)
        api.call("PATCH", f"{PATH}/{api.get(PATH).body['data'][0]['id']}", {"url": None})
        old, of = made["secret"], made["id"]
    check(delivered(api, receiver, 1), accepted=[old], refused=[], contract=old)

    new = rotated(api, of, overlapHours=48, contractSignature=signature)
    during = delivered(api, receiver, 2)
    assert len(during.headers["webhook-signature"].split(" ")) == 2
    check(during, accepted=[new, old], refused=[], contract=old if signature == "OLD" else new)
    shown = api.get(f"{PATH}/{of}").body["data"]["rotation"]
    assert shown["contractSignature"] == signature

    with time_machine.travel(clock.now() + timedelta(hours=48, seconds=1)):
        after = delivered(api, receiver, 3)
        check(after, accepted=[new], refused=[old], contract=new)
        assert api.get(f"{PATH}/{of}").body["data"]["rotation"] is None
        tasks.forget_earlier_secrets()
    assert not EarlierSecret.objects.exists()


def test_without_an_overlap_the_old_secret_ends_at_once(api: ApiClient, receiver: Receiver) -> None:
    at_account(api, receiver)
    made = endpoint(api, receiver)
    api.call("PATCH", f"{PATH}/{api.get(PATH).body['data'][0]['id']}", {"url": None})
    first = rotated(api, made["id"])
    second = rotated(api, made["id"], overlapHours=0)
    request = delivered(api, receiver, 1)
    check(request, accepted=[second], refused=[first, made["secret"]], contract=second)


def test_another_rotation_ends_the_overlap_of_the_one_before(
    api: ApiClient, receiver: Receiver
) -> None:
    oldest = at_account(api, receiver).webhook_secret
    of = api.get(PATH).body["data"][0]["id"]
    old, new = rotated(api, of), rotated(api, of)
    request = delivered(api, receiver, 1)
    check(request, accepted=[new, old], refused=[oldest], contract=old)


def test_a_secret_that_the_console_regenerates_leaves_no_earlier_one(
    api: ApiClient, receiver: Receiver
) -> None:
    at_account(api, receiver)
    old = rotated(api, api.get(PATH).body["data"][0]["id"])
    new = accounts.regenerate_webhook_secret(merchant=fresh(api), actor="ana")
    check(delivered(api, receiver, 1), accepted=[new], refused=[old], contract=new)


def test_the_same_key_rotates_once(api: ApiClient, receiver: Receiver) -> None:
    made = endpoint(api, receiver)
    first = rotate(api, made["id"], "r-1")
    again = rotate(api, made["id"], "r-1")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert refusal(rotate(api, made["id"], "r-1", overlapHours=1)) == (
        400,
        "IDEMPOTENCY_KEY_REUSED",
    )
    # It never shows a secret that another rotation made.
    rotated(api, made["id"])
    assert rotate(api, made["id"], "r-1").body["data"]["secret"] is None


@pytest.mark.parametrize("hours", [-1, 73, 1.5, "24", None])
def test_an_overlap_is_at_most_three_days(api: ApiClient, receiver: Receiver, hours: Any) -> None:
    made = endpoint(api, receiver)
    answer = rotate(api, made["id"], overlapHours=hours)
    assert answer.body["error"]["details"]["field"] == "overlapHours"


def test_no_audit_row_of_a_rotation_has_a_secret(api: ApiClient, receiver: Receiver) -> None:
    made = endpoint(api, receiver)
    new = rotated(api, made["id"])
    entry = AuditEntry.objects.get(action="webhook_secret.rotated")
    assert entry.subject_id == made["id"]
    shown = str(list(AuditEntry.objects.values()))
    assert new not in shown
    assert made["secret"] not in shown
