"""What the actions of these pages share: a confirmation first, and a message afterwards."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDecimalFieldWidget

from payments.console.actions import ConfirmedAction
from payments.console.model_admins import PossibleActions
from payments.core import money
from payments.core.fields import TypedMoney

Cleaned = dict[str, Any]  # the cleaned data of a form


def amount_field(**options: Any) -> forms.DecimalField:
    """An amount that an operator types."""
    return TypedMoney(
        label=_("Amount"),
        min_value=0,
        max_digits=20,
        decimal_places=8,
        widget=UnfoldAdminDecimalFieldWidget(),
        **options,
    )


def validate_decimals(typed: Decimal | None, currency: str) -> Decimal | None:
    """The amount, unless the currency has no such decimals. Raises ValidationError."""
    if typed is not None and typed != money.truncate(typed, currency):
        raise ValidationError({"amount": _("The currency has no such decimals.")})
    return typed


class ConfirmedActionsAdmin(PossibleActions):
    """The buttons of a record's page. A subclass lists them in `actions_detail`."""

    def confirm(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        perform: Callable[[Any, Cleaned], object],
        rows: Callable[[Any], list[str]],
    ) -> HttpResponse:
        """Shows the confirmation; then `perform(record, form)`, once."""
        row = self.get_record(request, object_id)

        def done(form: Cleaned) -> HttpResponse:
            perform(row, form)
            self.message_user(request, gettext("Done: %s") % confirmed.title)
            return redirect(self.back_url(row))

        return self.confirm_first(request, row, confirmed, done, rows=rows(row))
