"""GET /bills/agreements: the search, its pages, and how fast it finds (contract, Bill payments)."""

from typing import Any

import pytest
from django.db import connection

from payments.bills import search_text
from payments.bills.models import Agreement
from payments.bills.services import agreements
from tests.contract.answers import assert_refused
from tests.support.fixtures import ApiClient


def search(api: ApiClient, query: str) -> list[str]:
    """The names that a query finds."""
    response = api.get(f"/bills/agreements{query}")
    assert response.status_code == 200, response.content
    data = response.body["data"]
    assert data.keys() == {"items", "total"}
    return [item["name"] for item in data["items"]]


def test_search_finds_an_agreement_by_its_words(api: ApiClient) -> None:
    data = api.get("/bills/agreements?q=acueducto de ejemplo").body["data"]

    assert data == {
        "items": [
            {
                "agreementId": 1001,
                "name": "Acueducto de Ejemplo",
                "referenceLabel": "Número de contrato",
                "type": "Agua",
            }
        ],
        "total": 1,
    }


@pytest.mark.parametrize(
    "query",
    ["Energía del Altiplano", "ENERGIA DEL ALTIPLANO", "energía", "altiplano  ENERGÍA", "ltipla"],
)
def test_case_accents_and_order_do_not_count(api: ApiClient, query: str) -> None:
    assert "Energía del Altiplano Ficticio" in search(api, f"?q={query}")


def test_a_letter_with_tilde_is_found_without(api: ApiClient) -> None:
    assert search(api, "?q=narino") == ["Instituto Técnico de Nariño Ficticio"]
    assert search(api, "?q=Nariño") == ["Instituto Técnico de Nariño Ficticio"]
    assert search(api, "?q=Nariño") == ["Instituto Técnico de Nariño Ficticio"]


def test_type_and_number_are_searched_too(api: ApiClient) -> None:
    assert len(search(api, "?q=telecomunicaciones")) == 4
    assert search(api, "?q=1001") == ["Acueducto de Ejemplo"]


def test_every_word_must_occur(api: ApiClient) -> None:
    assert search(api, "?q=acueducto gas") == []


@pytest.mark.parametrize("query", ["%25", "_", "%5C", "%27", "a%25a", "%E2%98%95"])
def test_signs_of_the_database_are_only_signs(api: ApiClient, query: str) -> None:
    assert search(api, f"?q={query}") == []
    Agreement.objects.create(
        id=9,
        name="100% Ca_fé \\ 'Año' a%a ☕",
        reference_label="x",
        type="x",
        codes={"simulator": "9"},
    )
    assert len(search(api, f"?q={query}")) == 1


def test_search_is_read_in_pages_of_fixed_size(api: ApiClient, settings: Any) -> None:
    first = api.get("/bills/agreements").body["data"]
    second, third = search(api, "?page=2"), search(api, "?page=3")
    names = [item["name"] for item in first["items"]] + second + third

    assert first["total"] == Agreement.objects.count() == 42
    assert len(first["items"]) == len(second) == 20
    assert len(set(names)) == 42
    assert names == sorted(names, key=search_text.fold)
    assert search(api, "?page=1") == [item["name"] for item in first["items"]]
    assert search(api, "?q=") == search(api, "?q=%20%20") == search(api, "")


@pytest.mark.parametrize("page", ["4", "1000000", "461168601842738790"])
def test_a_page_past_the_end_is_empty(api: ApiClient, page: str) -> None:
    data = api.get(f"/bills/agreements?page={page}").body["data"]
    assert data == {"items": [], "total": 42}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=", "page"),
        ("page=abc", "page"),
        ("page=1e3", "page"),
        ("page=1.0", "page"),
        ("page=9223372036854775807", "page"),
        ("page=%EF%BC%91", "page"),
        ("page=1&page=2", "page"),
        ("q=a&q=b", "q"),
        ("q=%00", "q"),
        ("q=" + "x" * 101, "q"),
        ("q=" + "x" * 10_000, "q"),
    ],
)
def test_malformed_search_is_400(api: ApiClient, query: str, field: str) -> None:
    assert_refused(api.get(f"/bills/agreements?{query}"), 400, "VALIDATION_ERROR", field)


def test_query_of_the_greatest_length_is_taken(api: ApiClient) -> None:
    assert search(api, "?q=" + "a " * 50) == search(api, "?q=a")
    assert search(api, "?q=" + "%EF%B7%BA" * 100) == []


def test_credentials_are_needed_but_no_enablement(api: ApiClient, anonymous: ApiClient) -> None:
    assert_refused(anonymous.get("/bills/agreements"), 401, "MISSING_CREDENTIALS")
    api.merchant.bills_enabled = False
    api.merchant.save()
    assert len(search(api, "")) == 20


def test_what_cannot_be_paid_is_not_found(api: ApiClient) -> None:
    Agreement.objects.filter(pk=1001).update(is_enabled=False)
    Agreement.objects.filter(pk=1002).update(codes={"another": "1"})

    assert search(api, "?q=acueducto") == []
    assert api.get("/bills/agreements").body["data"]["total"] == 40


def test_an_agreement_that_is_renamed_is_found_by_its_new_name(api: ApiClient) -> None:
    agreement = Agreement.objects.get(pk=1001)
    agreement.name = "Aguas Nuevas de Ejemplo"
    agreement.save(update_fields=["name"])

    assert search(api, "?q=nuevas") == ["Aguas Nuevas de Ejemplo"]
    assert search(api, "?q=acueducto de ejemplo") == []


def test_long_letters_fit_into_the_index(db: None) -> None:
    Agreement.objects.create(
        id=9, name="ﷺ" * 120, reference_label="x", type="ﷺ" * 60, codes={"simulator": "9"}
    )


def many(count: int) -> None:
    """As many agreements, with names of different words."""
    words = ("agua", "aseo", "gas", "energía", "televisión", "crédito", "colegio", "póliza")
    rows = [
        Agreement(
            id=10_000 + number,
            name=f"{words[number % 8].title()} de Muestra {number} Zona {number % 977}",
            reference_label="Número de contrato",
            type=words[(number // 8) % 8].title(),
            codes={"simulator": str(number)},
        )
        for number in range(count)
    ]
    for row in rows:
        row.index()
    Agreement.objects.bulk_create(rows, batch_size=2000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bills_agreement")


def test_the_search_uses_its_index(db: None) -> None:
    many(20_000)
    found = agreements._payable().filter(searchable__contains="muestra 19777")
    assert found.count() == 1
    assert "agreement_search" in found.explain()
    assert "agreement_in_order" in agreements._payable().order_by("searchable", "id")[:20].explain()
