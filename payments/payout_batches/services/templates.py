"""The empty files that a person fills in. They have no example lines, which might be paid."""

import io
from typing import Any

from django.utils.translation import gettext

from payments.console import csvtext
from payments.payout.models import Bank
from payments.payout_batches.files import limits
from payments.payout_batches.files.headings import COLUMNS

_DOC_TYPES = "CC,CE,NIT,PP"
_WIDTH = 22


def csv_template() -> bytes:
    """With semicolons, because in Colombia a comma is the decimal point."""
    headings = ";".join(f'"{heading}"' for heading in COLUMNS.values())
    return f"{csvtext.MARK}{headings}\r\n".encode()


def xlsx_template() -> bytes:
    """Every column is text, so that Excel changes no digit. Lists have the values of choices."""
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet: Any = book.active
    sheet.title = gettext("Payouts")
    for place, (column, heading) in enumerate(COLUMNS.items(), start=1):
        cell = sheet.cell(1, place, str(heading))
        cell.font = Font(bold=True)
        dimension = sheet.column_dimensions[get_column_letter(place)]
        dimension.width = _WIDTH
        dimension.number_format = "#,##0.00" if column == "amount" else "@"
    sheet.freeze_panes = "A2"
    banks = _bank_sheet(book)
    _choices(sheet, "doc_type", f'"{_DOC_TYPES}"')
    _choices(sheet, "account_type", f'"{gettext("Savings")},{gettext("Checking")}"')
    _choices(sheet, "bank", banks)
    _help_sheet(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _choices(sheet: Any, column: str, formula: str) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    letter = get_column_letter(list(COLUMNS).index(column) + 1)
    rule = DataValidation(type="list", formula1=formula, allow_blank=True)
    rule.add(f"{letter}2:{letter}{limits.LINES_MAX + 1}")
    sheet.add_data_validation(rule)


def _bank_sheet(book: Any) -> str:
    """Its place, for the list of the column."""
    sheet = book.create_sheet(gettext("Banks"))
    names = list(Bank.objects.filter(is_enabled=True).order_by("name").values_list("name"))
    for (name,) in names:
        sheet.append([name])
    sheet.column_dimensions["A"].width = 2 * _WIDTH
    return f"'{sheet.title}'!$A$1:$A${max(len(names), 1)}"


def _help_sheet(book: Any) -> None:
    sheet = book.create_sheet(gettext("Help"))
    for line in (
        gettext("Fill in the first sheet, one payment a line. At most 10,000 lines."),
        gettext("To a bank account: bank, account type and account number."),
        gettext("To a Bre-B key: only the key. Its type is recognised if you leave it empty."),
        gettext("Nequi and DaviPlata: the account number is the mobile number."),
        gettext("Amounts in pesos: 1250000, 1.250.000 or 1.250.000,50."),
        gettext("The columns are text, so that Excel deletes no zeros and changes no digits."),
        gettext("Formulas are refused: paste values."),
    ):
        sheet.append([line])
    sheet.column_dimensions["A"].width = 90
