"""POST /links/{id}/image, and what is kept of a picture."""

import io
from base64 import b64encode
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from merchants.models import Logo
from payments.core.models import AuditEntry
from payments.links.models import PaymentLink
from tests.support.fixtures import ApiClient
from tests.support.image_bytes import encoded, jpeg, png, webp

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(api: ApiClient) -> str:
    answer = api.post("/links", {"title": "Café de Nariño", "amount": 50000})
    return str(answer.body["data"]["id"])


def put(api: ApiClient, link: str, content: bytes | None) -> Any:
    text = None if content is None else b64encode(content).decode()
    return api.post(f"/links/{link}/image", {"content": text})


def kept(link: str) -> Image.Image:
    image = PaymentLink.objects.get(pk=link).image
    assert image is not None
    return Image.open(io.BytesIO(bytes(image.content)))


@pytest.mark.parametrize(
    ("content", "media_type"),
    [(png(), "image/png"), (jpeg(), "image/jpeg"), (webp(), "image/webp")],
)
def test_image_is_shown_to_payers(
    api: ApiClient, link: str, content: bytes, media_type: str
) -> None:
    data = put(api, link, content).body["data"]
    path = data["imageUrl"].removeprefix("http://testserver")
    assert path in Client().get(PaymentLink.objects.get().path).content.decode()
    assert Client().get(path).headers["Content-Type"] == media_type
    assert api.get(f"/links/{link}").body["data"]["imageUrl"] == data["imageUrl"]
    assert AuditEntry.objects.filter(action="link.changed", subject_id=link).exists()
    assert put(api, link, None).body["data"]["imageUrl"] is None


def test_place_and_device_of_a_photo_are_not_kept(api: ApiClient, link: str) -> None:
    exif = Image.Exif()
    exif[271], exif[305] = "Teléfono de Lucía", "Editor"
    exif.get_ifd(0x8825)[2] = (4.6, 35.0, 53.0)
    exif[274] = 6  # the camera was turned
    photo = encoded("JPEG", 120, 60, exif=exif, comment=b"secret words")
    assert b"Editor" in photo
    assert put(api, link, photo).status_code == 200
    image = kept(link)
    assert image.size == (60, 120)
    assert not image.getexif()
    stored = bytes(Logo.objects.get().content)
    for hidden in (b"Editor", b"Luc", b"secret words"):
        assert hidden not in stored


def test_transparency_stays(api: ApiClient, link: str) -> None:
    file = io.BytesIO()
    Image.new("RGBA", (10, 10), (200, 16, 46, 0)).save(file, "PNG")
    put(api, link, file.getvalue())
    assert kept(link).convert("RGBA").getpixel((0, 0)) == (200, 16, 46, 0)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "This is no PNG, JPEG or WebP picture."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is no PNG, JPEG or WebP picture."),
        (encoded("GIF"), "This is no PNG, JPEG or WebP picture."),
        (png()[:-20], "This is no PNG, JPEG or WebP picture."),
        (png() + b"<?php", "This is no PNG, JPEG or WebP picture."),
        (webp(frames=2), "This is no PNG, JPEG or WebP picture."),
        (png(1025, 2), "A side is longer than 1024 pixels."),
    ],
    ids=["empty", "svg", "gif", "cut", "tail", "animated", "long"],
)
def test_what_is_no_small_picture_is_refused(
    api: ApiClient, link: str, content: bytes, why: str
) -> None:
    answer = put(api, link, content)
    assert answer.status_code == 400
    assert answer.body["error"]["details"]["fields"] == {"content": why}
    assert PaymentLink.objects.get().image is None


@pytest.mark.parametrize("content", ["no base64!", "aGk=\n", "YQ", 7, True, ["YQ=="]])
def test_content_is_strict_base64(api: ApiClient, link: str, content: object) -> None:
    answer = api.post(f"/links/{link}/image", {"content": content})
    assert answer.status_code == 400
    assert answer.body["error"]["details"]["fields"] == {"content": "Must be base64 (RFC 4648)."}
    assert api.post(f"/links/{link}/image", {}).status_code == 400


def test_a_body_above_the_limit_is_refused(api: ApiClient, link: str) -> None:
    assert put(api, link, png() + b"x" * 60_000).status_code == 413


def test_image_of_an_ended_link_stays(api: ApiClient, link: str) -> None:
    api.call("PATCH", f"/links/{link}", {"status": "ENDED"})
    assert put(api, link, png()).body["error"]["code"] == "NOT_ALLOWED"


def test_links_of_others_are_absent(stranger_api: ApiClient, link: str) -> None:
    assert put(stranger_api, link, png()).status_code == 404
