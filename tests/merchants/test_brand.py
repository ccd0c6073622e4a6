"""A merchant's colour and logo: what can be read on any colour, and which files are pictures."""

import hashlib
import re

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from merchants import brand, images, services
from merchants.models import Logo
from tests.support.image_bytes import encoded, jpeg, png, webp

CHANNEL = st.integers(0, 255)
PAPER, DARKEST = (255, 255, 255), (15, 22, 29)


def variables(colour: brand.Colour, dark: bool = False) -> dict[str, brand.Colour]:
    """The stylesheet of light or dark pages, read back."""
    part = brand.stylesheet(colour).partition("@media")[2 if dark else 0]
    found = re.findall(r"--([\w-]+):(#[0-9a-f]{6});", part)
    return {name: brand.parse(text) or PAPER for name, text in found}


@given(st.tuples(CHANNEL, CHANNEL, CHANNEL))
def test_whatever_the_colour_its_texts_can_be_read(colour: brand.Colour) -> None:
    made = variables(colour)
    assert made["panel"] == made["brand"] == colour
    for ink, ground in (
        ("on-panel", "panel"),
        ("on-panel-soft", "panel"),
        ("on-brand", "brand"),
        ("on-brand", "brand-hover"),
    ):
        assert brand.contrast(made[ink], made[ground]) >= 4.5, (ink, ground)
    for ground in (PAPER, brand.GROUND):
        assert brand.contrast(made["brand-edge"], ground) >= 3
    for ground in (DARKEST, brand.DARK_GROUND):
        assert brand.contrast(variables(colour, dark=True)["brand-edge"], ground) >= 3


def test_a_colour_that_needs_no_help_stays_as_it_is() -> None:
    assert variables((10, 122, 102))["brand-edge"] == (10, 122, 102)
    assert brand.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


@pytest.mark.parametrize("text", ["", "red", "#fff", "#0a7a6", "#0a7a66;}", "0a7a66ff", "#ñ00000"])
def test_text_that_is_no_colour_is_refused(text: str) -> None:
    assert brand.parse(text) is None


@pytest.mark.django_db
def test_the_stylesheet_is_kept_for_ever_and_holds_nothing_but_the_colour() -> None:
    response = Client().get(f"/brand/{brand.STYLESHEET_VERSION}/0a7a66.css")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in response.headers["Cache-Control"]
    assert "Set-Cookie" not in response.headers
    assert response.content.decode() == brand.stylesheet((10, 122, 102))
    for wrong in (
        "9/0a7a66",
        f"{brand.STYLESHEET_VERSION}/x",
        f"{brand.STYLESHEET_VERSION}/0a7a66%7D%7D",
    ):
        assert Client().get(f"/brand/{wrong}.css").status_code == 404


# --- Pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (png(120, 60), "image/png"),
        (jpeg(120, 60), "image/jpeg"),
        (webp(120, 60), "image/webp"),
        (webp(120, 60, lossless=True), "image/webp"),
        (webp(120, 60, exif=b"Exif"), "image/webp"),
    ],
)
def test_a_picture_is_told_by_its_bytes(content: bytes, kind: str) -> None:
    assert images.read(content) == images.Picture(kind, 120, 60)
    for end in range(0, len(content) - 1, 3):  # cut anywhere: never a crash, never a surprise
        assert images.read(content[:end]) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a" + bytes(40),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        png()[:-8] + b"<script>",
        b"\x89PNG\r\n\x1a\n<html>",
        png(0, 60),
        jpeg()[:-2] + b"<?php ?>",
        b"\xff\xd8\xff\xff\xd9",
        b"RIFF\x00\x00\x00\x00WEBPJUNK" + bytes(40),
        jpeg()[:-200] + b"\xff\xd9",
        encoded("GIF"),
        encoded("PNG", frames=2),
        webp(frames=2),
        png(20_000, 20_000, rows=1),
    ],
)
def test_bytes_that_are_no_picture_are_refused(content: bytes) -> None:
    assert images.read(content) is None


def test_large_picture_is_measured_and_not_decoded() -> None:
    picture = images.read(png(5_000, 5_000, rows=1))
    assert picture == images.Picture("image/png", 5_000, 5_000)
    assert picture.is_too_large


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(content: bytes) -> None:
    for head in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x00\x00\x00\x00WEBP"):
        images.read(head + content)


@pytest.mark.django_db
def test_merchants_with_the_same_logo_share_one_row_and_one_address() -> None:
    content = png()
    logo = services.keep_logo(content=content)
    assert services.keep_logo(content=content) == logo
    assert Logo.objects.count() == 1
    assert logo.url == f"/brand/logo/{hashlib.sha256(content).hexdigest()}"

    response = Client().get(logo.url)
    assert response.content == content
    headers = response.headers
    assert headers["Content-Type"] == "image/png"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    for wrong in ("0" * 64, "x", logo.pk.upper(), "%00"):
        assert Client().get(f"/brand/logo/{wrong}").status_code == 404
    for bad in (b"<svg/>", png() + bytes(images.MAX_BYTES), png(1025, 1)):
        with pytest.raises(ValueError, match="logo"):
            services.keep_logo(content=bad)
