"""What the WooCommerce plugin takes for a webhook, and how it makes up for one that is lost."""

from datetime import timedelta
from typing import Any

import pytest

from payments.core import clock
from tests.examples.woocommerce.conftest import Shop
from webhooks import signing
from webhooks.models import EventNumber

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TEST = {"event": "webhook.test", "data": {}}
OLD_SECRET = "whsec_" + "b2xkIHNlY3JldCBvZiAzMiBieXRlcyBsb25nIC4uLi4="


def pay(shop: Shop) -> int:
    """An order that is paid, of which the shop knows nothing yet."""
    order = shop.order()
    shop.pay(order)
    shop.answer(shop.attempt(order), "COMPLETED")
    return order


def test_a_duplicate_does_nothing(shop: Shop) -> None:
    order = pay(shop)
    messages = shop.new_webhooks()
    assert [shop.take(each) for each in messages + messages] == [
        *([[200, "done"]] * len(messages)),
        *([[200, "known"]] * len(messages)),
    ]
    seen = shop.see(order)
    assert seen["completed"] == 1
    assert sum("paid for" in note for note in seen["notes"]) == 1


def test_the_same_news_under_another_id_does_nothing(shop: Shop) -> None:
    order = pay(shop)
    (message,) = [each for each in shop.new_webhooks() if b"payment.completed" in each.body]
    merchant = shop.api.merchant
    assert merchant
    for number in range(2):
        at, secret = clock.now(), merchant.webhook_secret
        headers = signing.headers(
            event_id=f"evt_{number}", attempt=1, body=message.body, secret=secret, at=at
        )
        answer = shop.do("webhook", headers=headers, body=message.body.decode())
        assert answer == [200, "done"]
    assert (shop.see(order)["completed"], len(shop.see(order)["attempts"])) == (1, 1)


def test_what_is_not_genuine_is_refused(shop: Shop) -> None:
    order = pay(shop)
    message = next(each for each in shop.new_webhooks() if b"payment.completed" in each.body)
    old = clock.now() - timedelta(seconds=301)
    body = message.body.decode()

    def send(body: str = body, **changed: Any) -> Any:
        given = {name.replace("_", "-"): value for name, value in changed.items()}
        return shop.do("webhook", headers={**message.headers, **given}, body=body)

    refused = [401, "not genuine"]
    assert send(body.replace("120000", "120001")) == refused
    assert send(webhook_id="evt_another") == refused
    assert send(webhook_timestamp=str(int(clock.now().timestamp()) + 1)) == refused
    assert send(webhook_signature="") == refused
    assert send(webhook_signature="v1,") == refused
    assert shop.signed(TEST, at=old) == refused
    assert shop.signed(TEST, at=clock.now() + timedelta(seconds=310)) == refused
    assert shop.do("webhook", headers={}, body=body) == refused
    assert shop.see(order)["status"] == "pending"
    shop.do("options", options={"pasarela_woo_secrets": {}})
    assert send() == refused
    told = " ".join(shop.do("see world", name="log"))
    assert "not genuine" in told
    assert "120000" not in told


def test_during_a_rotation_both_secrets_are_taken(shop: Shop) -> None:
    merchant = shop.api.merchant
    assert merchant
    fields = shop.posted(webhook_secret=OLD_SECRET)
    assert shop.do("save settings", fields=fields) == []
    assert shop.signed(TEST, secret=OLD_SECRET) == [200, "not of this shop"]
    assert shop.signed(TEST) == [200, "not of this shop"]
    shop.do("save settings", fields=shop.posted(forget_old_secret="1"))
    assert shop.signed(TEST, secret=OLD_SECRET) == [200, "not of this shop"]
    assert shop.signed(TEST) == [401, "not genuine"]


def test_an_order_that_is_in_use_gets_the_webhook_again(shop: Shop) -> None:
    order = pay(shop)
    messages = shop.new_webhooks()
    shop.do("world", set={"is_locked": True})
    assert {answer[0] for answer in map(shop.take, messages)} == {503}
    shop.do("world", set={"is_locked": False})
    for message in messages:
        shop.take(message)
    assert shop.see(order)["status"] == "processing"


def test_lost_webhooks_are_caught_up_with(shop: Shop) -> None:
    orders = [pay(shop) for _ in range(3)]
    shop.new_webhooks()  # lost
    shop.do("cron")
    assert [shop.see(order)["status"] for order in orders] == ["processing"] * 3
    last = EventNumber.objects.filter(number__isnull=False).latest("number")
    shop.do("cron")
    path = [path for method, path, _ in shop.requests() if path.startswith("/events")][-1]
    assert f"after={last.event_id}" in path
    assert [shop.see(order)["completed"] for order in orders] == [1, 1, 1]


def test_the_cursor_waits_for_an_event_that_cannot_be_handled_yet(shop: Shop) -> None:
    order = pay(shop)
    shop.do("world", set={"is_locked": True})
    shop.do("cron")
    assert shop.see(order)["status"] == "pending"
    shop.do("world", set={"is_locked": False})
    shop.do("cron")
    assert shop.see(order)["status"] == "processing"


def test_a_cursor_of_another_account_begins_again(shop: Shop) -> None:
    order = pay(shop)
    cursor = {"after": "evt_01kjm2yq8x3s7v5d9f1h4j6k8m", "failures": 0}
    shop.do("options", options={"pasarela_woo_cursor": cursor})
    shop.do("cron")
    shop.do("cron")
    assert shop.see(order)["status"] == "processing"


def test_news_of_a_refund_bring_the_payment_that_was_lost(shop: Shop) -> None:
    order = pay(shop)
    path = f"/collect/{shop.attempt(order)['id']}/refunds"
    shop.api.post("/sandbox/balance", {"currency": "COPM", "amount": 500000})
    asked = shop.api.post(path, {"reason": "A call"}, headers={"Idempotency-Key": "console-1"})
    assert asked.status_code == 201
    shop.api.post(f"/sandbox/refund/{asked.body['data']['id']}", {"status": "COMPLETED"})
    for message in reversed(shop.new_webhooks()):
        assert shop.take(message)[0] == 200
    seen = shop.see(order)
    assert (seen["completed"], seen["status"]) == (1, "refunded")
    assert seen["refunds"] == [["120000", "COMPLETED"]]


def test_an_older_failure_does_not_undo_a_payment(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.answer(shop.attempt(order), "FAILED")
    late = shop.new_webhooks()
    shop.pay(order)
    shop.answer(shop.attempt(order), "COMPLETED")
    shop.receive()
    for message in late:
        shop.take(message)
    assert shop.see(order)["status"] == "processing"
