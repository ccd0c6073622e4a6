"""The Spanish of every text: none missing, guessed or left over, and no English on a page."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from gettext import GNUTranslations
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.db import transaction
from django.test import Client, override_settings
from django.utils.translation import override

from merchants.models import Method
from payments.collect.models import Order, Receipt
from payments.core import reasons
from payments.core.errors import ValidationFailed
from payments.outgoing.errors import AmountAboveLimit
from tests.admin.test_tenancy import fill, patterns
from tests.collect.test_pages.conftest import PERSON
from tests.support.charges import create, start
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.two_tenants import OWN, World, furnish, load_catalogues

ROOT = Path(settings.BASE_DIR)
CATALOGUES = ("locale", "locale/unfold", "payments/simulator/locale")
MAKE = ("makemessages", "-l", "es", "--no-location", "--no-wrap", "--no-obsolete")
# What makemessages reads.
SOURCES = (
    *("config", "payments", "merchants", "webhooks", "templates", "static"),
    *("locale", "manage.py", "tests", "conftest.py", "examples"),
    # The reference shows tables of its manual of the simulator.
    "docs",
)
STEPS = (
    *("", "/methods", "/pse", "/transfer", "/crypto", "/paid", "/go", "/return"),
    *("/with/push_wallet", "/with/breb_key", "/with/bank_redirect"),
)
DESKS = ("bank", "wallet", "key", "transfer", "crypto")
PAGES = 100  # at least; the console has more
NOT_SOURCES = ("__pycache__", "node_modules", ".venv")

needs_gettext = pytest.mark.skipif(
    shutil.which("xgettext") is None,
    reason="NO GETTEXT: the translations are not checked for completeness (apt install gettext)",
)

# Words that Spanish does not have. Pages are read without <code>, ids and data.
ENGLISH = re.compile(
    r"\b(the|of|is|are|was|were|and|or|not|with|without|this|that|which|by|from|for|have|been"
    r"|will|cannot|can|its|until|when|what|who|how|your|you|we|it|at|on|to"
    r"|payments?|orders?|refunds?|payouts?|disputes?|settlements?|charges?|deliver(?:y|ies|ed)"
    r"|events?|merchants?|amount|currency|balance|rows?|date|name|status|state|key|keys|fee|fees"
    r"|rail|added|changed|deleted|created|updated|search|select|view|save|failed|pending"
    r"|completed|expired|processing|received|approved?|rejected?|unmatched|funds?)\b",
    re.IGNORECASE,
)
SPOKEN = {"aria-label", "title", "placeholder", "alt"}
SILENT = {"script", "style", "code", "pre", "template", "svg", "textarea"}
VOID = {"input", "br", "img", "meta", "link", "hr", "source", "wbr", "area", "base", "col"}


class Reader(HTMLParser):
    """What a page says to a person: its text, and the attributes that are read or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Whether an element speaks, and the attributes of one that does."""
        given = {name: value or "" for name, value in attrs}
        quiet = (
            tag in SILENT
            or "material-symbols" in given.get("class", "")
            or given.get("lang", "es") != "es"
            or given.get("hreflang", "es") != "es"
        )
        if not self._is_quiet and not quiet:
            self.said += [value for name, value in given.items() if name in SPOKEN]
            if given.get("type") == "submit" and "value" in given:
                self.said.append(given["value"])
        if tag not in VOID:
            self._open.append((tag, quiet))

    def handle_endtag(self, tag: str) -> None:
        """Elements that are not closed end with the one around them."""
        names = [name for name, _quiet in self._open]
        if tag in names:
            del self._open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        """Text."""
        if data.strip() and not self._is_quiet:
            self.said.append(" ".join(data.split()))

    @property
    def _is_quiet(self) -> bool:
        return any(quiet for _name, quiet in self._open)


def english(page: str) -> set[str]:
    """The texts of a page that are not Spanish."""
    reader = Reader()
    reader.feed(page)
    return {text for text in reader.said if ENGLISH.search(_without_data(text))}


def _without_data(text: str) -> str:
    if text.startswith(("{", "[")):
        return ""
    # Addresses, names of accounts and rights, of headers.
    text = re.sub(r"\S+@\S+|https?://\S+|/\S+|\S+:[A-Za-z]\S*|\b\w+(?:-\w+)+", " ", text)
    # Ids, paths, camelCase and CODES.
    return re.sub(r"\b\w*[_.\d]\w*\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z]{2,}\b", " ", text)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """A merchant with a row of everything."""
    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "DOORBELL": False,
    }
    with django_db_blocker.unblock(), override_settings(**quick), transaction.atomic():
        load_catalogues()
        yield furnish(MerchantFactory(), OWN)
        transaction.set_rollback(True)


def addresses() -> Iterator[str]:
    """Every page of the console: of the site, of each list, of one row of each."""
    for name, route, parameters in patterns():
        if name == "logout":
            continue
        if not parameters:
            yield f"/admin/{route}"
            continue
        if len(parameters) > 1:
            continue
        for model in admin.site._registry:
            if route.startswith(f"{model._meta.app_label}/{model._meta.model_name}/"):
                row = model._default_manager.order_by("-pk").first()
                if row is not None:
                    yield fill(route, row.pk)


def _read(browser: Client, *pages: str) -> dict[str, set[str]]:
    """What is English, by the address of the page that says it."""
    left: dict[str, set[str]] = {}
    for address in pages:
        answer = browser.get(address)
        if not answer.streaming and "html" in answer.headers.get("Content-Type", ""):
            left[address] = english(answer.content.decode())
    return {address: texts for address, texts in left.items() if texts}


def test_the_login_says_nothing_in_english(db: None) -> None:
    stranger = Client(headers={"accept-language": "es"})
    page = stranger.get("/admin/login/").content.decode()
    assert "Ingresa a la consola" in page
    assert "Log in" not in page
    assert english(page) == set()


@pytest.mark.slow
def test_payers_read_nothing_in_english(world: World, db: None) -> None:
    api, browser = ApiClient(world.merchant), Client(headers={"accept-language": "es"})
    seen = ["/verify", "/verify/AAAA-AAAA-AAAA", "/pay/no-such-order", "/simulator/bank/none"]
    for name in (*Method.values, "push_wallet", "breb_key", "bank_redirect"):
        order = create(api, reference=f"LEIDA-{name}")
        page = f"/pay/{order.token}"
        assert _read(browser, *(page + step for step in STEPS)) == {}
        if name in Method.values:
            start(order, name)
        else:
            answer = browser.post(f"{page}/with/{name}", {**PERSON, "document_number": "10203040"})
            assert answer.status_code == HTTPStatus.SEE_OTHER, answer.content.decode()
        charge = order.charges.get()
        seen += [page + step for step in STEPS]
        seen += [f"/simulator/{desk}/{charge.provider_id}" for desk in DESKS]
    for order in Order.objects.exclude(status=Order.Status.PENDING):
        seen += [f"/pay/{order.token}", f"/pay/{order.token}/paid"]
    seen += [f"/verify/{proof.code}" for proof in Receipt.objects.all()]
    assert _read(browser, *seen) == {}


def test_developers_read_the_reference_in_spanish(db: None) -> None:
    page = Client(headers={"accept-language": "es"}).get("/docs").content.decode()
    assert "Crea una orden de cobro" in page
    assert english(page) == set()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's texts and their sources, after makemessages."""
    root = tmp_path_factory.mktemp("messages")
    ignored = shutil.ignore_patterns(*NOT_SOURCES)
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, root / name)
    made = subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", *MAKE],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return root


def _catalogue(root: Path, place: str, ending: str = "po") -> Path:
    return root / place / "es" / "LC_MESSAGES" / f"django.{ending}"


def _texts(po: Path) -> str:
    lines = po.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith('"POT-Creation-Date'))


@pytest.mark.slow
@needs_gettext
@pytest.mark.parametrize("place", CATALOGUES)
def test_catalogues_have_every_text_of_the_sources(copy: Path, place: str) -> None:
    """Else: `make messages`, then translate what is new."""
    assert _texts(_catalogue(copy, place)) == _texts(_catalogue(ROOT, place))


def test_no_text_is_hidden_in_an_f_string() -> None:
    """There xgettext does not find every one, and `makemessages` says nothing."""
    known = (_catalogue(ROOT, "locale")).read_text(encoding="utf-8").replace('"\n"', "")
    for top in ("config", "payments", "merchants", "webhooks"):
        for file in (ROOT / top).rglob("*.py"):
            for call in _calls_in_f_strings(ast.parse(file.read_text(encoding="utf-8"))):
                assert json.dumps(call, ensure_ascii=False) in known, (file, call)


def _calls_in_f_strings(tree: ast.AST) -> Iterator[str]:
    for joined in ast.walk(tree):
        if isinstance(joined, ast.JoinedStr):
            for call in ast.walk(joined):
                match call:
                    case ast.Call(
                        func=ast.Name("gettext" | "_"), args=[ast.Constant(str() as text)]
                    ):
                        yield text


@needs_gettext
@pytest.mark.parametrize("place", CATALOGUES)
def test_every_text_is_translated_and_compiled(tmp_path: Path, place: str) -> None:
    po, made = _catalogue(ROOT, place), tmp_path / "made.mo"
    subprocess.run(["msgfmt", "--check-format", "-o", made, po], check=True, capture_output=True)
    for selection in ("--untranslated", "--only-fuzzy", "--only-obsolete"):
        found = subprocess.run(["msgattrib", selection, po], check=True, capture_output=True)
        assert found.stdout.decode().count("msgid") == 0, found.stdout.decode()
    with made.open("rb") as fresh, _catalogue(ROOT, place, "mo").open("rb") as committed:
        assert (
            vars(GNUTranslations(fresh))["_catalog"] == vars(GNUTranslations(committed))["_catalog"]
        )


def test_english_is_found_where_people_read_it() -> None:
    page = """<title>Órdenes</title><p>The order</p><code>the code</code><script>of()</script>
        <button aria-label="Search">Buscar</button><p>ord_01 COMPLETED a@is.example</p>
        <a lang="en">the English page</a><p>Es tu <b>order</b></p>"""
    assert english(page) == {"The order", "Search", "order"}


def test_a_refusal_speaks_english_to_clients_and_spanish_to_people() -> None:
    refused = AmountAboveLimit(Decimal(5000))
    with override("es"):
        assert refused.message == str(refused)
        assert refused.message == "The amount is above the cap of 5,000 COP per transaction."
        assert refused.shown() == "El valor supera el tope de 5.000 COP por transacción."
        assert ValidationFailed({"to": "The day is not over."}).shown() == "El día no ha terminado."


def test_every_reason_code_is_written_by_a_service_and_read_in_spanish() -> None:
    sources = [each for each in (ROOT / "payments").rglob("*.py") if each.name != "reasons.py"]
    written = "".join(each.read_text(encoding="utf-8") for each in sources)
    codes = reasons.ReasonCode
    assert [code for code in codes if f"ReasonCode.{code.name}" not in written] == []
    with override("es"):
        assert reasons.shown("by_hand", "llamó 50% (folio 3)") == "a mano: llamó 50% (folio 3)"
        assert reasons.shown("", "by hand: llamó 50% (folio 3)") == "a mano: llamó 50% (folio 3)"
        assert reasons.shown("", "Lo pidió la tienda") == "Lo pidió la tienda"
        assert reasons.shown("", "") == ""
