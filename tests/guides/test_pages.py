"""GET /docs/guides, its pages, their Markdown, /docs/reference.md and /llms.txt."""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.test import Client

from payments.api.guides import library
from payments.api.reference import error_codes
from payments.api.reference.document import document
from payments.api.reference.requests import operations
from tests.guides.blocks import LANGUAGES, blocks

pytestmark = pytest.mark.django_db
PAGES = [f"/docs/guides/{slug}" for slug in library.SLUGS]


def read(client: Client, address: str, language: str = "en", **request: Any) -> str:
    response = client.get(address, headers={"accept-language": language}, **request)
    assert response.status_code == 200, address
    return str(response.content.decode())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_lead_to_every_guide(client: Client, language: str) -> None:
    text = read(client, "/docs/guides", language)
    for slug in library.SLUGS:
        assert f'href="/docs/guides/{slug}"' in text
        assert html.escape(library.guide(slug, language).title) in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", library.SLUGS)
def test_a_guide_is_in_the_language_of_its_reader(client: Client, slug: str, language: str) -> None:
    text = read(client, f"/docs/guides/{slug}", language)
    assert f'<html lang="{language}">' in text
    assert html.escape(library.guide(slug, language).title) in text
    for block in blocks(slug, language):
        code = block.code.replace("http://localhost:8000", settings.PUBLIC_URL).rstrip("\n")
        assert f"<code>{code}</code>" in html.unescape(text)


def test_a_reader_changes_the_language_for_good(client: Client) -> None:
    assert '<html lang="en">' in read(client, "/docs/guides/errors?lang=en", "es")
    assert '<html lang="en">' in read(client, "/docs/guides/webhooks", "es")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["/docs/guides", *PAGES])
def test_every_link_of_a_page_leads_somewhere(client: Client, page: str, language: str) -> None:
    text = read(client, page, language)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert {unquote(each) for each in re.findall(r'href="#([^"]+)"', text)} <= set(ids)
    for link in set(re.findall(r'(?:href|src)="(/[^"]*)"', text)):
        address, _, anchor = unquote(link).partition("#")
        answer = client.get(address, follow=True, headers={"accept-language": language})
        assert answer.status_code == 200, link
        if anchor:
            assert f'id="{anchor}"' in answer.content.decode(), link


@pytest.mark.parametrize("page", ["/docs/guides", *PAGES])
def test_a_page_loads_nothing_from_elsewhere_and_runs_nothing_inline(
    client: Client, page: str
) -> None:
    response = client.get(page)
    text = response.content.decode()
    assert not re.search(r'src="(?!/)|<link[^>]+href="(?!/)', text)
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", text)
    assert "unsafe" not in response.headers["Content-Security-Policy"]


def test_a_page_that_does_not_exist_is_404(client: Client) -> None:
    for address in (
        "/docs/guides/nothing",
        "/docs/guides/en/nothing.md",
        "/docs/guides/fr/errors.md",
        "/docs/guides/..%2f..%2fREADME",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", library.SLUGS)
def test_markdown_of_a_guide_has_its_tables(client: Client, slug: str, language: str) -> None:
    response = client.get(f"/docs/guides/{language}/{slug}.md")
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert text.startswith(f"# {library.guide(slug, language).title}\n")
    assert "<!--" not in text
    assert "http://localhost:8000/api" not in text or "localhost" in settings.PUBLIC_URL


def test_the_names_of_this_installation_stand_in_the_guides(client: Client, settings: Any) -> None:
    settings.PUBLIC_URL, settings.WEBHOOK_HEADER_PREFIX = "https://pagos.example", "X-Pagos-"
    library.guide.cache_clear()
    try:
        text = read(client, "/docs/guides/en/webhooks.md")
        assert "https://pagos.example/api/v1/events" in text
        assert "X-Pagos-Signature" in text
        assert "X-Service-" not in text
    finally:
        library.guide.cache_clear()


def test_the_page_of_a_developers_own_machine_has_the_demo_keys(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, "http://localhost:8000"
    demo = {"apiKey": "pk_demo", "apiSecret": "sk_demo", "webhookSecret": "whsec_demo"}
    (tmp_path / "demo.json").write_text(json.dumps({**demo, "operator": {"password": "p4ss"}}))
    text = html.unescape(read(client, PAGES[0], HTTP_HOST="localhost:8000"))
    assert "API_KEY=pk_demo API_SECRET=sk_demo" in text
    assert "WEBHOOK_SECRET=whsec_demo" in text
    assert "p4ss" not in text
    elsewhere = read(client, PAGES[0], HTTP_HOST="localhost:8000", REMOTE_ADDR="192.168.1.7")
    assert "pk_demo" not in elsewhere
    assert "whsec_demo" not in elsewhere


def test_the_index_of_the_search_leads_to_anchors(client: Client) -> None:
    entries = json.loads(read(client, "/docs/guides/index.json", "es"))
    assert any(each["title"] == "Salir a producción" for each in entries)
    pages = {address: read(client, address, "es") for address in PAGES}
    for each in entries:
        address, _, anchor = each["address"].partition("#")
        assert not anchor or f'id="{anchor}"' in pages[address], each["address"]


def test_the_reference_as_markdown_has_every_operation_and_code(client: Client) -> None:
    response = client.get("/docs/reference.md", headers={"accept-language": "es"})
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    for name, operation in operations(document()).items():
        assert f"`{operation.method} {operation.path}` (`{name}`)" in text
    for code in error_codes.table():
        assert f"| `{code.code}` |" in text
    for kind in document()["webhooks"]:
        assert f"| `{kind}` |" in text
    assert "Create a collection order" in text
    assert "&" not in re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def test_llms_txt_leads_to_every_text(client: Client) -> None:
    response = client.get("/llms.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    text = response.content.decode()
    found = re.findall(r"\]\(([^)]+)\)", text)
    assert len(found) == 3 + 2 * len(library.SLUGS)
    for link in found:
        assert client.get(link.removeprefix(settings.PUBLIC_URL)).status_code == 200, link


def test_the_reference_leads_to_the_guide_on_errors(client: Client) -> None:
    assert 'href="/docs/guides/errors' in read(client, "/docs")
