"""What the camera of a wallet reads from a screen. The reader is not by the maker of our codes."""

from io import BytesIO

import zxingcpp
from PIL import Image
from playwright.sync_api import Page


def read_screen(page: Page) -> list[str]:
    """The texts of all QR codes that a person sees on the whole page."""
    page.wait_for_load_state()
    return _read(page.screenshot(full_page=True))


def read_saved(page: Page, button: str) -> list[str]:
    """The texts in the picture that the button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return _read(download.value.path().read_bytes())


def _read(picture: bytes) -> list[str]:
    shot = Image.open(BytesIO(picture)).convert("L")
    found = zxingcpp.read_barcodes(shot, formats=zxingcpp.BarcodeFormat.QRCode)
    return [one.text for one in found]
