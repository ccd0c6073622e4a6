"""A compiled insert writes what `save(force_insert=True)` would write, in one statement."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.signals import post_save

from merchants.models import ApiKey, Merchant
from payments.collect.models import Order
from payments.core import compiled_queries
from payments.core.compiled_inserts import CompiledInsert
from tests.support.factories import order_body

pytestmark = pytest.mark.django_db
OWN = {"id", "reference", "token", "updated_at"}


@pytest.fixture(params=["compiled", "plain"])
def way(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """With a version of Django that was tested, and with one that was not."""
    if request.param == "plain":
        monkeypatch.setattr(compiled_queries, "TESTED_VERSIONS", set())
    return request.param


@pytest.fixture
def first(api: Any) -> Order:
    """An order as the API creates it."""
    body = order_body(callbackUrl="https://shop.example/fin", metadata={"mesa": "7 ñ"})
    response = api.post("/collect", body, headers={"Idempotency-Key": "pedido-1"})
    return Order.objects.get(pk=response.body["data"]["id"])


def copy_of(order: Order, **changes: Any) -> Order:
    fields = [field.attname for field in Order._meta.concrete_fields if field.attname not in OWN]
    values = {name: getattr(order, name) for name in fields}
    return Order(**values | {"reference": "otro", "idempotency_key": None, **changes})


@pytest.mark.usefixtures("way")
def test_every_column_is_written(first: Order, django_assert_num_queries: Any) -> None:
    copy = copy_of(first)
    with django_assert_num_queries(1):
        CompiledInsert(Order).save(copy)
    assert not copy._state.adding

    written = Order.objects.get(pk=copy.pk)
    for field in Order._meta.concrete_fields:
        assert getattr(written, field.attname) == getattr(copy, field.attname), field
        if field.attname not in OWN | {"idempotency_key"}:
            assert getattr(written, field.attname) == getattr(first, field.attname), field


@pytest.mark.usefixtures("way")
def test_each_row_has_its_own_values(first: Order) -> None:
    insert = CompiledInsert(Order)
    for name in ("uno", "dos"):
        insert.save(copy_of(first, reference=name, description=name, callback_url=None))
    rows = Order.objects.exclude(pk=first.pk).values_list("reference", "description")
    assert sorted(rows) == [("dos", "dos"), ("uno", "uno")]


@pytest.mark.usefixtures("way")
def test_saved_row_is_updated_by_a_later_save(first: Order) -> None:
    copy = copy_of(first)
    CompiledInsert(Order).save(copy)
    copy.description = "cambiada"
    copy.save()
    assert Order.objects.get(pk=copy.pk).description == "cambiada"


@pytest.mark.usefixtures("way")
def test_conflict_ends_the_transaction_of_the_caller(first: Order) -> None:
    with transaction.atomic():
        with pytest.raises(IntegrityError):
            CompiledInsert(Order).save(copy_of(first, reference=first.reference))
        assert transaction.get_rollback()
    assert Order.objects.count() == 1


@pytest.mark.usefixtures("way")
def test_value_of_the_database_is_written_and_read(first: Order) -> None:
    copy = copy_of(first, description=Value("de la base"))
    insert = CompiledInsert(Order)
    insert.save(copy_of(first, reference="antes"))
    insert.save(copy)
    assert Order.objects.get(pk=copy.pk).description == "de la base"


def test_receivers_of_signals_hear_of_the_row(first: Order) -> None:
    heard = []

    def listen(sender: object, instance: Order, **kwargs: object) -> None:
        heard.append(instance.reference)

    post_save.connect(listen, sender=Order)
    try:
        CompiledInsert(Order).save(copy_of(first))
    finally:
        post_save.disconnect(listen, sender=Order)
    assert heard == ["otro"]


@pytest.mark.usefixtures("way")
def test_encrypted_column_is_encrypted(merchant: Merchant) -> None:
    other = Merchant(name="Otra", email="otra@example.com", webhook_secret="whsec_x")
    CompiledInsert(Merchant).save(other)
    assert Merchant.objects.get(pk=other.pk).webhook_secret == "whsec_x"
    assert ApiKey.objects.filter(merchant=other).count() == 0
