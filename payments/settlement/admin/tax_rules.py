"""Console pages of tax rules: add one, end one. Closed days keep the taxes that they have."""

from dataclasses import replace

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.models import Merchant
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.changelist import RecordFilter
from payments.console.formatting import actor, amount, link_column, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import clock
from payments.settlement.admin.forms import EndForm, RuleForm, rule_form
from payments.settlement.models import TaxRule
from payments.settlement.services import taxes

ADD = ConfirmedAction(
    verb="add",
    needs_reauthentication=True,
    title=_("Add tax rule"),
    explanation=_(
        "When a day is closed, the tax of that day's fees stands in its settlement and on the "
        "statement. The rule counts from its first day on, and days that are closed already stay "
        "as they are. It cannot be changed afterwards, only ended."
    ),
    submit=_("Add"),
    form_class=RuleForm,
)
END = ConfirmedAction(
    verb="end",
    needs_reauthentication=True,
    title=_("End tax rule"),
    explanation=_("The day given is the last on which it counts."),
    submit=_("End"),
    danger=True,
    form_class=EndForm,
)


@admin.register(TaxRule)
class TaxRuleAdmin(ReadOnlyAdmin):
    merchant_link = link_column("merchant", _("merchant"), empty=_("all merchants"))
    created = timestamp_column("created_at", _("created at"))
    shown_if_empty = _(
        "A tax on our fee, such as IVA. Without a rule, settlements have no tax lines."
    )
    list_display = ["name", "kind", "rate_shown", "merchant_link", "valid_from", "valid_to"]
    list_filter = ["kind", ("merchant", RecordFilter)]
    search_fields = ["name__icontains"]
    ordering = ["name", "-valid_from", "-id"]
    fields = [*list_display, "created"]
    readonly_fields = fields
    actions_detail = ["end"]
    has_end_permission = right_to("end")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaxRule]:
        rules: QuerySet[TaxRule] = super().get_queryset(request)
        return rules.select_related("merchant").defer("merchant__webhook_secret")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A rule is never changed: a change is a new rule."""
        return bool(request.user.has_perm("settlement.add_taxrule"))

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            reason = form.pop("reason")
            rule = TaxRule(**form)
            taxes.add_rule(rule, actor=actor(request), reason=reason, now=clock.now())
            return self.done(request, rule, ADD)

        form = rule_form(Merchant.objects.all())
        return self.confirm_first(request, None, replace(ADD, form_class=form), perform)

    @action(
        description=END.title, icon="event_busy", variant=ActionVariant.DANGER, permissions=["end"]
    )
    def end(self, request: HttpRequest, object_id: str) -> HttpResponse:
        rule: TaxRule = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            taxes.end_rule(rule=rule, actor=actor(request), now=clock.now(), **form)
            return self.done(request, rule, END)

        return self.confirm_first(request, rule, END, perform)

    @display(description=_("rate"), ordering="rate")
    def rate_shown(self, rule: TaxRule) -> str:
        return amount(rule.rate * 100, "%")
