"""Asks once about a NIT whose check digit is missing or wrong.

It refuses none, because published numbers break the rule (docs/gaps.md, Documents).
"""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from merchants.legal import tax_ids
from payments.core.text import is_company_nit, normalised_document

FIELD = "nit_kept"


class NitMixin(forms.Form):
    """`nit_kept` is the number that the form asked about when it was sent before."""

    nit_kept = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def ask_about_nit(self, typed: str, known: str = "") -> None:
        """Of a number whose form was found right. A known one was not typed here."""
        data = self.cleaned_data
        number = data.get("document_number", "")
        if data.get("document_type") != "NIT" or not number:
            return
        if number in (data.get(FIELD), normalised_document(known)):
            return
        if right := _mended(typed, number):
            self.data = dict(self.data.items()) | {FIELD: number}
            text = gettext(
                "Check the number: with its check digit this NIT is %(nit)s. Correct it, or press "
                "the button again to keep yours."
            )
            self.add_error("document_number", ValidationError(text % {"nit": right}))


def _mended(typed: str, number: str) -> str:
    """With the right digit. Empty if nothing seems wrong."""
    try:
        tax_ids.parse(typed)
    except tax_ids.NotANit as problem:
        return tax_ids.shown(number[:-1]) if problem.digit else ""
    # With eight digits, and the ninth as their check digit, it is a person's.
    is_short = is_company_nit(number) and tax_ids.check_digit(number[:8]) != number[8]
    return tax_ids.shown(number) if is_short else ""
