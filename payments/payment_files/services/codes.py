"""The code of a line: what the bank's statement shows of the payment.

A number that never repeats and a check digit (Damm), which finds every mistyped digit and every
swap of neighbours. Nine digits that begin with 1: no NIT, mobile phone or date looks like it.
"""

from django.db import connection
from stdnum import damm

FIRST = 10_000_000


def new_code() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('payment_files_line_number')")
        number = cursor.fetchone()[0]
    digits = str(FIRST + number)
    return digits + damm.calc_check_digit(digits)


def is_code(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) >= 9 and damm.is_valid(text)
