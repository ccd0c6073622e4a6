"""What the camera of a wallet reads from a screen. The reader is not by the maker of our codes."""

from io import BytesIO

import zxingcpp
from PIL import Image
from playwright.sync_api import Page


def read_screen(page: Page) -> list[str]:
    """The texts of all QR codes that a person sees on the whole page."""
    page.wait_for_load_state()
    shot = Image.open(BytesIO(page.screenshot(full_page=True))).convert("L")
    found = zxingcpp.read_barcodes(shot, formats=zxingcpp.BarcodeFormat.QRCode)
    return [one.text for one in found]
