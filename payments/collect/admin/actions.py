"""What the actions of these pages share: a page that asks for confirmation, and a message."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDecimalFieldWidget

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm
from payments.console.amount_field import PesosField, examples
from payments.console.formatting import actor
from payments.console.model_admins import PossibleActions
from payments.core import clock, money
from payments.core.fields import TypedMoney


def amount_field(**options: Any) -> forms.DecimalField:
    """Of any currency: where it is pesos, AmountForm reads it as people in Colombia write it."""
    return TypedMoney(
        label=_("Amount"),
        min_value=0,
        max_digits=20,
        decimal_places=8,
        widget=UnfoldAdminDecimalFieldWidget(),
        **options,
    )


class AmountForm(ReasonForm):
    """Its `amount` is of the currency of the record that the page is about."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.initial.get("currency") == money.FIAT:
            given = self.fields["amount"]
            example = gettext("For example %(whole)s.") % examples()
            parts = [str(given.help_text), example]
            self.fields["amount"] = PesosField(
                label=given.label, required=given.required, help_text=" ".join(parts)
            )


def in_currency(confirmed: ConfirmedAction, row: Any) -> ConfirmedAction:
    """The form knows the currency of the order, or of the order of the dispute."""
    if not issubclass(confirmed.form_class, AmountForm):
        return confirmed
    currency = getattr(row, "order", row).currency
    return replace(confirmed, initial={**(confirmed.initial or {}), "currency": currency})


def validate_decimals(typed: Decimal | None, currency: str) -> Decimal | None:
    """Returns the amount. Raises ValidationError if it has more decimals than the currency."""
    if typed is not None and typed != money.truncate(typed, currency):
        raise ValidationError({"amount": _("The currency has no such decimals.")})
    return typed


def acknowledge_action(form_class: type[forms.Form]) -> ConfirmedAction:
    return ConfirmedAction(
        verb="acknowledge",
        needs_reauthentication=True,
        title=_("Dismiss"),
        explanation=_("The contradiction is understood. Nothing moves but a loss that you book."),
        submit=_("Dismiss"),
        done=_("The contradiction is dismissed."),
        form_class=form_class,
    )


class ConfirmedActionsAdmin(PossibleActions):
    """The buttons of a record's page. A subclass lists them in `actions_detail`."""

    # The name of the services' parameter that gets the record.
    noun: ClassVar[str]

    def summary(self, row: Any) -> list[str]:
        """Shown on the confirmation page."""
        raise NotImplementedError

    def act_facts(self, row: Any) -> list[tuple[object, object]]:
        """The summary with labels, for records whose acts are decided by comparing."""
        return []

    def confirm(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        perform: Callable[..., object],
    ) -> HttpResponse:
        """Shows the confirmation, then calls `perform(<noun>=record, ...)` once."""
        row = self.get_record(request, object_id)

        def done(form: Cleaned) -> HttpResponse:
            why = {"actor": actor(request), "now": clock.now(), **form}
            perform(**{self.noun: row}, **why)
            return self.done(request, row, confirmed)

        shown = in_currency(confirmed, row)
        facts = self.act_facts(row)
        about: dict[str, object] = {"facts": facts} if facts else {"rows": self.summary(row)}
        return self.confirm_first(request, row, shown, done, **about)
