"""Pages of a product's catalogue: fees and limits, codes by rail.

Every change has a reason. A change applies to payments that are created after it.
"""

import json
import re
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from payments.console.actions import ReasonForm
from payments.console.amount_field import PercentField, PesosField
from payments.console.code_words import code_words
from payments.console.formatting import actor, admin_url, amount, on_off, time_element
from payments.console.model_admins import ConsoleAdmin
from payments.console.timeline import who
from payments.core import money
from payments.core.models import AuditEntry
from payments.outgoing import catalogue_changes
from payments.outgoing.admin.payments import Section
from payments.outgoing.models import Terms

TERMS = ["is_enabled", "min_amount", "max_amount", "fee_flat", "fee_rate"]
Facts = list[tuple[object, object]]
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII)


COUNTS_FOR = _("payments of all merchants that are created after the change")


class LimitsForm(ReasonForm, forms.ModelForm):
    # The help of amounts once, not at each of them.
    min_amount = PesosField(label=_("Minimum"), required=False, may_be_zero=True)
    max_amount = PesosField(label=_("Cap per transaction"), may_be_zero=True, help_text="")

    def clean(self) -> dict[str, Any]:
        super().clean()
        figures = self.cleaned_data
        least, most = figures.get("min_amount"), figures.get("max_amount")
        if most is not None and most <= 0:
            self.add_error("max_amount", gettext("Must be above zero."))
        if least is not None and least <= 0:
            self.add_error("min_amount", gettext("Must be above zero, or empty."))
        elif least is not None and most is not None and least > most:
            self.add_error("min_amount", gettext("The minimum is above the cap."))
        return figures


class TermsForm(LimitsForm):
    fee_flat = PesosField(label=_("Flat fee"), may_be_zero=True, help_text="")
    fee_rate = PercentField(
        label=_("Fee by percentage"), help_text=_("Of the amount of each payment.")
    )

    class Meta:
        fields = TERMS
        help_texts = {"is_enabled": _("Off: new ones are refused. Those under way continue.")}


class RailCodesField(forms.CharField):
    """A line for each rail, `simulator: 1007`. An object in JSON is taken, too."""

    def __init__(self, **kwargs: Any) -> None:
        widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
        help_text = _(
            "A line for each account that pays: its id, a colon, and the code of its provider, as "
            "in simulator: 1007. An account without a line here is not used."
        )
        super().__init__(**{"widget": widget, "help_text": help_text, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return "\n".join(f"{rail}: {code}" for rail, code in value.items())
        return value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        if text.startswith(("{", "[")):
            try:
                return json.loads(text)
            except ValueError:
                return None
        pairs = [line.partition(":") for line in text.splitlines() if line.strip()]
        for line in (rail for rail, colon, _code in pairs if not colon):
            wrong = gettext("“%(line)s” has no colon. Write the account first: simulator: 1007")
            raise forms.ValidationError(wrong % {"line": line.strip()[:60]})
        return {rail.strip(): code.strip() for rail, _colon, code in pairs}

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != initial)


class CodesForm(ReasonForm, forms.ModelForm):
    """A row for which each rail has its own code, in `codes`."""

    codes = RailCodesField(label=_("Codes by rail"))

    def clean_codes(self) -> dict[str, str]:
        codes = self.cleaned_data["codes"]
        if codes == self.instance.codes:
            # Unchanged codes may come from a file, so the form does not validate them.
            return dict(codes)
        is_valid = isinstance(codes, dict) and all(
            isinstance(text, str) and _CODE.fullmatch(text)
            for pair in codes.items()
            for text in pair
        )
        if not is_valid:
            raise forms.ValidationError(
                gettext("A line for each rail, with its code: simulator: 1007")
            )
        return dict(codes)


class CatalogueAdmin(ConsoleAdmin):
    actions = None
    forms_need_reauthentication = True

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows cannot be added, because the code names them."""
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> list[Section]:
        """Without the right to change, the form does not ask for a reason."""
        names = [*self.readonly_fields, *self.form.Meta.fields]
        sections: list[Section] = [(None, {"fields": list(dict.fromkeys(names))})]
        if obj is None or self.has_change_permission(request, obj):
            sections.append((_("Why"), {"fields": ["reason"]}))
        return sections

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Only one save button, because each save needs its own reason."""
        buttons = {"show_save_and_add_another": False, "show_save_and_continue": False}
        context = {**(extra_context or {}), **buttons}
        return super().changeform_view(request, object_id, form_url, context)

    def save_model(self, request: HttpRequest, obj: Model, form: ReasonForm, change: bool) -> None:
        why = {"actor": actor(request), "reason": form.cleaned_data["reason"]}
        if not change:
            catalogue_changes.add_row(row=obj, **why)
            return
        values = form.cleaned_data
        changes = {name: values[name] for name in self.form.Meta.fields if name in values}
        old = type(obj)._default_manager.get(pk=obj.pk)
        changed = catalogue_changes.change_row(row=obj, **why, **changes)
        obj.console_changes = [  # type: ignore[attr-defined]
            _change(form.fields[name], getattr(old, name), changes[name]) for name in changed
        ]

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Says what was changed, old against new."""
        self.message_user(request, self.said_of_change(obj), messages.SUCCESS)
        response: HttpResponse = self.response_post_save_change(request, obj)
        return response

    def said_of_change(self, obj: Any) -> str:
        if not obj.console_changes:
            return gettext("Nothing was changed.")
        return f"{self.title_of(obj)}: {', '.join(obj.console_changes)}."

    def last_change(self, row: Any) -> Facts:
        name, changes = str(row._meta.model_name), AuditEntry.objects
        found = changes.filter(subject_type=name, subject_id=str(row.pk)).order_by("-id").first()
        if found is None:
            return []
        return [
            (gettext("last change"), time_element(found.at)),
            (gettext("by"), who(found.actor)),
            (gettext("reason"), found.reason),
        ]

    @display(description=_("codes by rail"))
    def codes_text(self, row: Any) -> str:
        return (
            ", ".join(f"{code_words(rail)} {code}" for rail, code in sorted(row.codes.items()))
            or "-"
        )


def _change(field: forms.Field, old: object, new: object) -> str:
    return f"{field.label} {_shown(field, old)} → {_shown(field, new)}"


def _shown(field: forms.Field, value: Any) -> str:
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    if value in (None, ""):
        return gettext("none")
    if isinstance(value, dict):
        return ", ".join(f"{code_words(rail)} {code}" for rail, code in sorted(value.items()))
    if isinstance(field, PercentField):
        return amount(value * 100, "%")
    return amount(value, money.FIAT) if isinstance(value, Decimal) else str(value)


class LimitsAdmin(CatalogueAdmin):
    @display(description=_("minimum"))
    def least(self, row: Any) -> str:
        return amount(row.min_amount, "COP")

    @display(description=_("cap per transaction"))
    def most(self, row: Any) -> str:
        return amount(row.max_amount, "COP")


class TermsAdmin(LimitsAdmin):
    form = TermsForm
    list_display = ["is_enabled", "least", "most", "flat", "part"]

    def title_of(self, row: Any) -> object:
        return self.title(row)

    def head(self, row: Any) -> dict[str, Any] | None:
        """What counts now, also while the form has other figures with an error."""
        kept = type(row)._default_manager.get(pk=row.pk)
        facts: Facts = [
            (gettext("fee now"), f"{self.flat(kept)} + {self.part(kept)}"),
            (gettext("minimum"), self.least(kept)),
            (gettext("cap per transaction"), self.most(kept)),
            (gettext("counts for"), COUNTS_FOR),
            *self.last_change(row),
        ]
        return {
            "amount": self.title(kept),
            "state": on_off(kept.is_enabled),
            "facts": facts,
        }

    def said_of_change(self, obj: Any) -> str:
        told = super().said_of_change(obj)
        counts = gettext("It counts for %s.") % COUNTS_FOR
        return f"{told} {counts}" if obj.console_changes else told

    @display(description=_("terms"))
    def title(self, terms: Terms) -> str:
        return capfirst(str(terms._meta.verbose_name))

    @display(description=_("flat fee"))
    def flat(self, terms: Terms) -> str:
        return amount(terms.fee_flat, "COP")

    @display(description=_("fee by percentage"))
    def part(self, terms: Terms) -> str:
        return amount(terms.fee_rate * 100, "%")


class OneTermsAdmin(TermsAdmin):
    """Terms of one row: its page takes the place of the list."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        terms = self.model.objects.first()
        if terms is None or not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        return redirect(admin_url(terms) or "admin:index")

    def title_of(self, row: Terms) -> object:
        return self.title(row)
