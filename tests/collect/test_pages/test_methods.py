"""The choice of methods: familiar marks, the operator's pictures, and caps of the rails."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from payments.collect.models import Order
from payments.collect.templatetags import method_marks
from tests.collect.test_pages.conftest import Payer
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
CAP = 11_552_000


@pytest.fixture(autouse=True)
def _no_pictures_of_other_tests() -> Iterator[None]:
    method_marks._picture.cache_clear()
    yield
    method_marks._picture.cache_clear()


def picture(size: int = 88) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (size, size), "#0a7a66").save(file, "PNG")
    return file.getvalue()


def test_methods_have_marks_that_payers_know(payer: Payer) -> None:
    page = payer.see()
    for mark in (">PSE</span>", ">Bre-B</span>"):
        assert f'class="mark" aria-hidden="true"{mark}' in page
    assert 'class="mark picture"' not in page


def test_operator_replaces_a_mark_by_a_picture(payer: Payer, settings: Any, tmp_path: Path) -> None:
    settings.PAY_MARKS_DIR = str(tmp_path)
    (tmp_path / "pse.png").write_bytes(picture())
    page = payer.see()
    assert page.count('class="mark picture" src="data:image/png;base64,') == 1
    assert 'aria-hidden="true">PSE</span>' not in page


@pytest.mark.parametrize(
    "content", [b"<svg onload='alert(1)'/>", picture() + b"x" * 5000, picture()[:-4], b""]
)
def test_file_that_is_no_small_picture_is_not_shown(
    content: bytes, payer: Payer, settings: Any, tmp_path: Path
) -> None:
    settings.PAY_MARKS_DIR = str(tmp_path)
    (tmp_path / "pse.png").write_bytes(content)
    assert 'class="mark picture"' not in payer.see()


@pytest.mark.parametrize(("amount", "is_offered"), [(CAP - 6000, True), (CAP + 1, False)])
def test_key_is_not_offered_above_the_cap_of_breb(
    amount: int, is_offered: bool, create: Callable[..., Order], api: ApiClient
) -> None:
    order = create(amount=amount)
    assert ("/with/breb_key" in Payer(order).see()) is is_offered
    keys = [one["method"] for one in api.get(f"/collect/{order.pk}/methods").body["data"]]
    assert ("breb_key" in keys) is is_offered


def test_operator_changes_the_cap_when_the_unit_of_value_does(
    create: Callable[..., Order], settings: Any
) -> None:
    settings.BREB_MAX_AMOUNT = 20_000_000
    assert "/with/breb_key" in Payer(create(amount=CAP + 1)).see()


def test_foot_says_where_to_ask_about_ones_data(payer: Payer, settings: Any) -> None:
    settings.DATA_CONTACT_EMAIL = "datos@pasarela.example"
    settings.DATA_POLICY_URL = "https://pasarela.example/datos"
    page = payer.see()
    assert 'href="mailto:datos@pasarela.example"' in page
    assert 'href="https://pasarela.example/datos"' in page
