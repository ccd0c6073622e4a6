"""The NIT, the tax number of Colombia: digits, and a check digit that DIAN computes from them."""

import re

from stdnum.co import nit as stdnum_nit

_TYPED = re.compile(r"([1-9]\d{5,9})(?:-(\d))?")
# Of companies. A number of ten digits that begins so has its check digit at the end.
_COMPANY = re.compile(r"([89]\d{8})(\d)")


class NotANit(ValueError):
    """`digit` is the right check digit if only that one is wrong."""

    def __init__(self, digit: str = "") -> None:
        super().__init__(digit)
        self.digit = digit


def check_digit(number: str) -> str:
    return str(stdnum_nit.calc_check_digit(number))


def parse(typed: str) -> str:
    """The number without its check digit. Raises NotANit."""
    text = re.sub(r"[\s.,]", "", typed).upper().removeprefix("NIT").strip(":")
    text = re.sub("[‐-―−]", "-", text)
    match = _COMPANY.fullmatch(text) or _TYPED.fullmatch(text)
    if match is None:
        raise NotANit
    number, digit = match[1], match[2]
    if digit is not None and digit != check_digit(number):
        raise NotANit(check_digit(number))
    return number


def shown(number: str) -> str:
    """900.123.456-8"""
    return f"{int(number):,}".replace(",", ".") + f"-{check_digit(number)}" if number else ""
