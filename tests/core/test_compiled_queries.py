"""A compiled look-up returns what its queryset would return, in one statement."""

from typing import Any

import pytest
from django.db.models import OuterRef, Subquery, Sum, Value
from django.db.models.signals import ModelSignal, post_init, pre_init

from merchants.models import ApiKey, Merchant
from merchants.services import issue_api_key
from payments.core import compiled_queries
from payments.core.compiled_queries import CompiledQuery

pytestmark = pytest.mark.django_db
KEYS: CompiledQuery[ApiKey] = CompiledQuery(
    lambda public_key: (
        ApiKey.objects.select_related("merchant")
        .defer("merchant__webhook_secret")
        .filter(public_key=public_key)
    )
)


@pytest.fixture
def key(api: Any) -> ApiKey:
    """Of Café Andino."""
    return ApiKey.objects.get(pk=api.key.pk)


@pytest.fixture(params=["compiled", "plain"])
def way(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """With a version of Django that was tested, and with one that was not."""
    if request.param == "plain":
        monkeypatch.setattr(compiled_queries, "TESTED_VERSIONS", set())
    return request.param


@pytest.mark.usefixtures("way")
def test_joined_row_comes_with_the_same_statement(
    key: ApiKey, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        found = KEYS.first(public_key=key.public_key)
        assert found is not None
        assert (found, found.merchant.name) == (key, "Café Andino")
    for field in ApiKey._meta.concrete_fields:
        assert getattr(found, field.attname) == getattr(key, field.attname)


@pytest.mark.usefixtures("way")
def test_deferred_column_is_read_only_when_it_is_needed(
    key: ApiKey, django_assert_num_queries: Any
) -> None:
    found = KEYS.first(public_key=key.public_key)
    assert found is not None
    assert found.merchant.get_deferred_fields() == {"webhook_secret"}
    with django_assert_num_queries(1):
        assert found.merchant.webhook_secret.startswith("whsec_")


@pytest.mark.usefixtures("way")
def test_no_row_is_none() -> None:
    assert KEYS.first(public_key="pk_of_no_merchant") is None


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("given", [{}, {"key": "x"}, {"public_key": "x", "secret": "y"}])
def test_unknown_or_missing_parameter_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="public_key"):
        KEYS.first(**given)


@pytest.mark.usefixtures("way")
def test_none_is_refused_because_no_column_equals_null() -> None:
    with pytest.raises(TypeError, match="public_key"):
        KEYS.first(public_key=None)  # type: ignore[arg-type]


@pytest.mark.usefixtures("way")
def test_each_call_binds_its_own_values(api: Any, stranger: Merchant, key: ApiKey) -> None:
    of_merchant: CompiledQuery[ApiKey] = CompiledQuery(
        lambda key, merchant: ApiKey.objects.filter(
            public_key=key, merchant=merchant, revoked_at=None
        )
    )
    assert of_merchant.first(key=key.public_key, merchant=key.merchant_id) == key
    assert of_merchant.first(key=key.public_key, merchant=stranger.pk) is None


@pytest.mark.usefixtures("way")
def test_all_returns_the_rows_in_their_order(
    api: Any, key: ApiKey, django_assert_num_queries: Any
) -> None:
    later, _ = issue_api_key(merchant=api.merchant, actor="test")
    of_merchant: CompiledQuery[ApiKey] = CompiledQuery(
        lambda merchant: ApiKey.objects.filter(merchant=merchant).order_by("-created_at")
    )
    with django_assert_num_queries(1):
        assert of_merchant.all(merchant=key.merchant_id) == [later, key]
    assert of_merchant.all(merchant="mer_of_no_key") == []


@pytest.mark.usefixtures("way")
def test_all_refuses_a_missing_parameter() -> None:
    with pytest.raises(TypeError, match="public_key"):
        KEYS.all()


@pytest.mark.usefixtures("way")
def test_annotation_is_an_attribute(key: ApiKey) -> None:
    of_merchant = ApiKey.objects.filter(merchant=OuterRef("pk")).values("merchant")
    total = Subquery(of_merchant.annotate(total=Sum(Value(2))).values("total"))
    counted: CompiledQuery[Merchant] = CompiledQuery(
        lambda pk: Merchant.objects.annotate(total=total).filter(pk=pk)
    )
    found: Any = counted.first(pk=key.merchant_id)
    assert found is not None
    assert (found.total, type(found.total)) == (2, int)


@pytest.mark.usefixtures("way")
def test_converted_column_has_the_value_of_the_field(key: ApiKey) -> None:
    by_id: CompiledQuery[Merchant] = CompiledQuery(lambda pk: Merchant.objects.filter(pk=pk))
    found = by_id.first(pk=key.merchant_id)
    assert found is not None
    assert found.webhook_secret.startswith("whsec_")


@pytest.mark.usefixtures("way")
def test_row_can_be_changed_and_saved(key: ApiKey) -> None:
    found = KEYS.first(public_key=key.public_key)
    assert found is not None
    found.label = "otra caja"
    found.save()
    found.merchant.name = "Café Nuevo"
    found.merchant.save()
    key.refresh_from_db()
    assert (key.label, key.merchant.name) == ("otra caja", "Café Nuevo")
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize("signal", [pre_init, post_init])
def test_receivers_of_signals_hear_of_the_row(key: ApiKey, signal: ModelSignal) -> None:
    heard: list[object] = []

    def listen(sender: object, **kwargs: object) -> None:
        heard.append(sender)

    signal.connect(listen, sender=Merchant)
    try:
        fresh: CompiledQuery[ApiKey] = CompiledQuery(
            lambda pk: ApiKey.objects.select_related("merchant").filter(pk=pk)
        )
        fresh.first(pk=key.pk)
    finally:
        signal.disconnect(listen, sender=Merchant)
    assert heard == [Merchant]


def test_values_cannot_be_compiled() -> None:
    values: CompiledQuery[Any] = CompiledQuery(lambda pk: ApiKey.objects.filter(pk=pk).values())
    with pytest.raises(TypeError, match="rows of a model"):
        values.first(pk="key_1")


def test_untested_version_of_django_never_compiles(
    key: ApiKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.VERSION", (6, 1, 0, "final", 0))
    monkeypatch.setattr(compiled_queries, "_Plan", None)  # a use would fail
    fresh: CompiledQuery[ApiKey] = CompiledQuery(lambda pk: ApiKey.objects.filter(pk=pk))
    assert fresh.first(pk=key.pk) == key
