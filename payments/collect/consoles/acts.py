"""What every act of these pages has in common: only what would do something now is offered."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDecimalFieldWidget

from payments.core import money
from payments.core.console import Act, ReadOnlyAdmin


def amount_field(**options: Any) -> forms.DecimalField:
    """An amount that an operator types."""
    return forms.DecimalField(
        label=_("Amount"),
        min_value=0,
        max_digits=20,
        decimal_places=8,
        widget=UnfoldAdminDecimalFieldWidget(),
        **options,
    )


def on_the_books(typed: Decimal | None, currency: str) -> Decimal | None:
    """The amount, unless the currency has no such decimals. Raises ValidationError."""
    if typed is not None and typed != money.truncate(typed, currency):
        raise ValidationError({"amount": _("The currency has no such decimals.")})
    return typed


class ActsAdmin(ReadOnlyAdmin):
    """The buttons of a record's page. A subclass lists them in `actions_detail`."""

    def possible(self, row: Any) -> set[str]:
        """The names of the acts that would do something now."""
        raise NotImplementedError

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        """Only what would do something now."""
        row = self.model._default_manager.filter(pk=unquote(object_id)).first()
        names = self.possible(row) if row is not None else set()
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        return [
            item
            for item in super().get_actions_detail(request, object_id)
            if item.action_name.removeprefix(prefix) in names
        ]

    def act(
        self,
        request: HttpRequest,
        object_id: str,
        act: Act,
        perform: Callable[[Any, dict[str, Any]], object],
        rows: Callable[[Any], list[str]],
    ) -> HttpResponse:
        """Asks first; then `perform(record, form)`, once."""
        row = self.found(request, object_id)

        def done(form: dict[str, Any]) -> HttpResponse:
            perform(row, form)
            self.message_user(request, gettext("Done: %s") % act.title)
            return redirect(self.back_url(row))

        return self.ask(request, row, act, done, rows=rows(row))
