"""The merchant's colour and logo in the console's form."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from merchants.models import Logo, Merchant
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console
from tests.admin.test_merchants import FORM, NO_KEYS
from tests.support.image_bytes import jpeg, png

CHANGE = "merchants_merchant_change"


def upload(content: bytes, name: str = "logo.png", kind: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, kind)


def save(console: Console, merchant: Merchant, **changes: Any) -> Any:
    form = {**FORM, **NO_KEYS, "name": merchant.name, "reason": REASON, **changes}
    return console.submit(CHANGE, merchant.pk, **form)


def test_operator_sets_and_removes_colour_and_logo(console: Console, merchant: Merchant) -> None:
    response = save(console, merchant, brand_color="C8102E", logo_file=upload(png(120, 60)))
    assert response.status_code == 302
    merchant.refresh_from_db()
    assert merchant.brand_color == "#c8102e"
    assert merchant.logo is not None
    assert (merchant.logo.media_type, merchant.logo.width) == ("image/png", 120)
    assert merchant.logo.url in console.page(CHANGE, merchant.pk).content.decode()
    row = AuditEntry.objects.get(action="merchant.changed")
    assert row.details["new"]["logo_id"] == merchant.logo.pk
    assert row.details["new"]["brand_color"] == "#c8102e"

    # A save that says nothing of it leaves the logo; another box takes it away.
    save(console, merchant, brand_color="#c8102e")
    merchant.refresh_from_db()
    assert merchant.logo is not None
    save(console, merchant, brand_color="", remove_logo="on")
    merchant.refresh_from_db()
    assert (merchant.brand_color, merchant.logo) == ("", None)


def test_a_new_merchant_may_have_one_from_the_start(console: Console) -> None:
    picture = upload(jpeg(), "logo.jpg", "image/jpeg")
    console.submit("merchants_merchant_add", **FORM, brand_color="#0a7a66", logo_file=picture)
    merchant = Merchant.objects.get()
    assert merchant.logo is not None
    assert merchant.logo.media_type == "image/jpeg"


@pytest.mark.parametrize(
    "wrong",
    [
        {"brand_color": "red"},
        {"brand_color": "#12345"},
        {"logo_file": (b"<svg onload='alert(1)'/>", "logo.png", "image/png")},
        {"logo_file": (b"GIF89a" + bytes(99), "logo.gif", "image/gif")},
        {"logo_file": (png(1025, 10), "wide.png", "image/png")},
        {"logo_file": (png()[:-12] + bytes(70_000) + png()[-12:], "big.png", "image/png")},
        {"logo_file": (b"", "nothing.png", "image/png")},
    ],
)
def test_anything_else_is_refused_with_its_reason(
    wrong: dict[str, Any], console: Console, merchant: Merchant
) -> None:
    changes = {name: upload(*file) if name == "logo_file" else file for name, file in wrong.items()}
    response = save(console, merchant, **changes)
    assert response.status_code == 200
    assert list(response.context["adminform"].form.errors) == list(wrong)
    assert not Logo.objects.exists()


def test_viewer_sees_the_branding_and_has_no_field(clerk: Console, merchant: Merchant) -> None:
    page = clerk.page(CHANGE, merchant.pk)
    assert page.status_code == 200
    assert "logo_file" not in page.content.decode()


def test_a_picked_colour_counts_if_the_digits_are_as_before(
    console: Console, merchant: Merchant
) -> None:
    def saved(**fields: str) -> str:
        assert save(console, merchant, **fields).status_code == 302
        merchant.refresh_from_db()
        return str(merchant.brand_color)

    # The browser sends the panel of the service if no person picks.
    assert saved(brand_color="", brand_picker="#0f2a43") == ""
    assert saved(brand_color="", brand_picker="#C8102E") == "#c8102e"
    assert saved(brand_color="#c8102e", brand_picker="#c8102e") == "#c8102e"
    assert saved(brand_color="#c8102e", brand_picker="#123456") == "#123456"
    assert saved(brand_color="#654321", brand_picker="#123456") == "#654321"
    assert saved(brand_color="", brand_picker="#654321") == ""
    assert save(console, merchant, brand_color="", brand_picker="red").status_code == 200


def test_colour_is_asked_once_and_a_logo_is_taken_away_where_there_is_one(
    console: Console, merchant: Merchant
) -> None:
    def shown() -> str:
        return str(console.page("merchants_merchant_set_brand", merchant.pk).content.decode())

    without = shown()
    assert without.count('name="brand_picker"') == without.count('name="brand_color"') == 1
    assert '<input type="hidden" name="remove_logo"' in without
    save(console, merchant, logo_file=upload(png(120, 60)))
    assert '<input type="hidden" name="remove_logo"' not in shown()
    assert 'name="remove_logo"' in shown()
