"""The first page, and addresses that do not exist: a page for people, JSON for programs."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
PLACES = ("/verify/", "/admin/", "/docs")


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en-US,en;q=0.9", "Payments for shops in Colombia"),
        ("es-CO", "Pagos para comercios en Colombia"),
    ],
)
def test_first_page_is_in_the_language_of_the_browser(
    client: Client, language: str, heading: str
) -> None:
    page = client.get("/", headers={"accept-language": language})
    assert page.status_code == 200
    for place in PLACES:
        assert f'href="{place}"' in page.content.decode()
    if language.startswith("en"):
        assert heading in page.content.decode()


@pytest.mark.parametrize("path", ["/foo", "/docs/nothing", "/favicon"])
def test_unknown_address_leads_a_person_on(client: Client, path: str) -> None:
    page = client.get(path, headers={"accept-language": "en"})
    assert page.status_code == 404
    assert "This page does not exist" in page.content.decode()
    for place in PLACES:
        assert f'href="{place}"' in page.content.decode()


def test_unknown_page_of_the_console_leads_an_operator_on(admin_client: Client) -> None:
    page = admin_client.get("/admin/nothing", headers={"accept-language": "en"})
    assert page.status_code == 404
    assert "This page does not exist" in page.content.decode()


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/callbacks/nothing"])
def test_unknown_address_of_the_api_is_json(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["success"] is False


@pytest.mark.parametrize("path", ["/", "/nothing", "/verify/", "/verify/ABCD-1234"])
def test_visitor_changes_the_language_of_every_public_page(client: Client, path: str) -> None:
    page = client.get(path, headers={"accept-language": "es-CO"})
    assert 'lang="en" hreflang="en">English</a>' in page.content.decode()
    page = client.get(f"{path}?lang=en", headers={"accept-language": "es-CO"})
    assert '<html lang="en">' in page.content.decode()
    page = client.get(path, headers={"accept-language": "es-CO"})
    assert '<html lang="en">' in page.content.decode()
