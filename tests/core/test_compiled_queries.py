"""A compiled look-up returns what its queryset would return, in one statement."""

from typing import Any

import pytest
from django.db.models import Value

from merchants.models import ApiKey, Merchant
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


def test_annotation_and_converted_column_cannot_be_compiled() -> None:
    annotated: CompiledQuery[ApiKey] = CompiledQuery(
        lambda pk: ApiKey.objects.annotate(one=Value(1)).filter(pk=pk)
    )
    with pytest.raises(TypeError, match="whole rows"):
        annotated.first(pk="key_1")
    encrypted: CompiledQuery[Merchant] = CompiledQuery(lambda pk: Merchant.objects.filter(pk=pk))
    with pytest.raises(TypeError, match="converts"):
        encrypted.first(pk="mer_1")


def test_untested_version_of_django_never_compiles(
    key: ApiKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.VERSION", (6, 1, 0, "final", 0))
    monkeypatch.setattr(compiled_queries, "_Plan", None)  # a use would fail
    fresh: CompiledQuery[ApiKey] = CompiledQuery(lambda pk: ApiKey.objects.filter(pk=pk))
    assert fresh.first(pk=key.pk) == key
