"""The pump."""
import pytest
from tests.webhooks.conftest import merchant_at, publish, run_pump
from webhooks.models import Attempt, Delivery

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(receiver):
    event = publish(merchant_at(receiver.url))
    assert run_pump().sent == 1
    (request,) = receiver.requests
    assert request.body == bytes(event.body)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts) == ("DELIVERED", 1)
    attempt = Attempt.objects.get()
    assert (attempt.response_status, attempt.response_excerpt, attempt.error) == (200, "ok", "")

def test_speed(receiver):
    import time
    ms=[merchant_at(receiver.url) for _ in range(20)]
    for n in range(2000): publish(ms[n%20], n)
    t=time.perf_counter(); s=run_pump(); d=time.perf_counter()-t
    print(s, d, 2000/d, receiver.connections)
    m=merchant_at(receiver.url)
    for n in range(1000): publish(m, n)
    t=time.perf_counter(); s=run_pump(); d=time.perf_counter()-t
    print(s, d, 1000/d, receiver.connections)
    assert Delivery.objects.filter(status="DELIVERED").count()==3000
