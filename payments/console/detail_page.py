"""The page of one record: the next step, warnings, tables and timeline."""

from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from stdnum.co import nit
from unfold.admin import ModelAdmin

from payments.console import fieldsets, tenancy
from payments.console.buttons import without
from payments.console.cells import copyable, is_id, short_id
from payments.console.formatting import link, time_element
from payments.console.timeline import TimelineLine
from payments.core.text import is_company_nit

TECHNICAL = ("money", "rail", "webhook")  # kinds of lines of a timeline
Facts = list[tuple[object, object]]
# The fields that the head of a page shows. The facts below it do not repeat them.
IN_HEAD = frozenset(
    {"amount_shown", "status_label", "merchant_link", "order_link", "reference", "created", "id"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The user's next step, and the reason in one sentence.

    actions   names of the page's `actions_detail`, the safest first.
    link      label and address of another page; "#name" is a field of this page's form.
    further   more steps, each a line with its own buttons.
    waiting   for people of merchants who cannot take the step: what they wait for. Empty: they do
              not see the step.
    is_quiet  the main act is elsewhere on the page, so no button is in colour.
    title     what has been reached, instead of `Nothing to do`. Its buttons are no duty.
    icon      with a title that is no good news.
    """

    why: object
    actions: tuple[str, ...] = ()
    link: tuple[object, str] | None = None
    further: tuple["NextStep", ...] = ()
    waiting: object = ""
    is_quiet: bool = False
    title: object = ""
    icon: str = ""


class DetailPage(ModelAdmin):
    """Shows the warnings; with `has_timeline` also the next step, tables and the timeline."""

    has_timeline: ClassVar[bool] = False
    change_form_outer_before_template = "admin/record_top.html"

    def related_tables(self, row: Any) -> list[dict[str, Any]]:
        """The tables beside the timeline.

        Called first, so that the other parts use the loaded relations.
        """
        return []

    def timeline_lines(self, row: Any) -> list[TimelineLine] | None:
        """None: the tables tell all, and no timeline is shown."""
        raise NotImplementedError

    def next_step(self, row: Any) -> NextStep | None:
        return None

    def warnings(self, row: Any) -> list[object]:
        """Conditions that are allowed but unusual."""
        return []

    def alarms(self, row: Any) -> list[object]:
        """What costs money if no person looks at it. Shown in red, above everything else."""
        return []

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: object, object_id: str
    ) -> HttpResponse:
        """Django asks whether it was deleted, which nothing ever is."""
        text = gettext("There is no record “%(id)s” that you can open. Check the id.")
        self.message_user(request, text % {"id": unquote(object_id)[:80]}, messages.WARNING)
        return redirect("admin:index")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is None or (row := context.get("original")) is None:
            return response
        if self.has_timeline:
            context["tables"] = self.related_tables(row)
            context["record_step"] = self._step(context, row, object_id)
            context["timeline"] = self.timeline_lines(row)
            if context["timeline"] and tenancy.current_user_is_merchant():
                _fold_technical(context)
            _leave_out_repeated(context)
        context["record_head"] = head = self.head(row)
        if head is not None and head.get("is_whole"):
            _leave_out_shown(context)
        if self.has_timeline:
            _gather_technical(context, row)
        # templates/unfold/helpers/header_title.html
        row.console_title = self.title_of(row)
        # The whole id of a title that has its ends.
        row.console_tooltip = str(row) if is_id(str(row)) else row.console_title
        if not is_id(str(row)):
            # Of the browser's tab, where Django has the text of the record in the database.
            context["subtitle"] = row.console_title
        context["record_alarms"] = self.alarms(row)
        context["record_warnings"] = self.warnings(row)
        return response

    def title_of(self, row: Any) -> object:
        """The last part of the page's title. An id is short: its page has the whole one."""
        text = str(row)
        return reference_of(row) or short_id(text) if is_id(text) else text

    def head(self, row: Any) -> dict[str, Any] | None:
        """What a person looks for first: amount, state, merchant, reference, id and time.

        None for records without an amount and a state. `is_whole`: it shows all of IN_HEAD.
        """
        if not (hasattr(self, "amount_shown") and hasattr(self, "status_label")):
            return None
        texts = self.whose(row)
        order_link = getattr(self, "order_link", None)
        if order_link is not None:
            texts.append((gettext("order"), order_link(row)))
        # People of a merchant read the reference as the order's name already.
        reference = reference_of(row)
        if reference and not (order_link and tenancy.current_user_is_merchant()):
            texts.append((gettext("reference"), copyable(reference)))
        texts += self.id_in_head(row)
        if (at := getattr(row, "created_at", None)) is not None:
            texts.append((gettext("created at"), time_element(at)))
        return {
            "amount": self.amount_shown(row),
            "state": self.status_label(row),
            "facts": texts,
            "is_whole": True,
        }

    def whose(self, row: Any) -> Facts:
        """The merchant. People of one merchant know whose the record is."""
        if tenancy.current_user_has_one_merchant():
            return []
        # Charges, refunds and disputes have the merchant of their order.
        order = getattr(row, "order", None)
        if (merchant_link := getattr(self, "merchant_link", None)) is not None:
            return [(gettext("merchant"), merchant_link(row))]
        return [] if order is None else [(gettext("merchant"), link(order.merchant))]

    def id_in_head(self, row: Any) -> Facts:
        """Operators work with ids. People of merchants find it in the technical detail."""
        if self.has_timeline and tenancy.current_user_is_merchant():
            return []
        return [(gettext("Id"), copyable(str(row.pk)))]

    def _step(self, context: dict[str, Any], row: Any, object_id: str) -> dict[str, Any] | None:
        """The sentences with their buttons.

        Only buttons that this person has on this page are shown.
        """
        if (step := self.next_step(row)) is None:
            return None
        offered = {button["path"]: button for button in _flat(context.get("actions_detail") or ())}
        lines = [self._line(each, context, offered, object_id) for each in (step, *step.further)]
        if tenancy.current_user_is_merchant():
            # Users of merchants do not see the steps of operators.
            lines = [
                {**line, "why": line["waiting"] or line["why"], "is_needed": bool(line["buttons"])}
                if line["waiting"] and not line["buttons"]
                else line
                for line in lines
            ]
            lines = [line for line in lines if line["buttons"] or not line["is_needed"]]
        if not lines:
            return None
        is_needed = any(line["is_needed"] for line in lines)
        has_buttons = any(line["buttons"] for line in lines)
        is_waiting = not is_needed and any(line["waiting"] for line in lines)
        return {
            **lines[0],
            "lines": lines,
            "is_needed": is_needed,
            "is_for_others": is_needed and not has_buttons,
            "is_waiting": is_waiting,
        }

    def _line(
        self, step: NextStep, context: dict[str, Any], offered: dict[str, Any], object_id: str
    ) -> dict[str, Any]:
        prefix = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        here = self._extract_action_names(list(self.actions_detail))
        names = [name for name in step.actions if name in here]
        paths = [reverse(f"{prefix}_{name}", args=[object_id]) for name in names]
        buttons = [(offered[path]["title"], path) for path in paths if path in offered]
        if step.link is not None and (address := step.link[1]):
            is_field = address.startswith("#")
            if not is_field or context.get("has_change_permission"):
                buttons.append((str(step.link[0]), address))
        return {
            "why": step.why,
            "buttons": buttons,
            "is_needed": bool(step.actions or step.link) and not step.title,
            "title": step.title,
            "icon": step.icon,
            "waiting": step.waiting,
            "is_quiet": step.is_quiet,
        }


def _flat(buttons: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for button in buttons:
        found += _flat(button["items"]) if button.get("items") else [button]
    return [button for button in found if button.get("path")]


def _fold_technical(context: dict[str, Any]) -> None:
    """Steps of the ledger and of networks are for developers and accountants of the merchant."""
    every = context["timeline"]
    technical = [line for line in every if line.kind in TECHNICAL and not line.is_ahead]
    if len(technical) < len(every):
        context["timeline"] = [line for line in every if line not in technical]
        context["timeline_technical"] = technical


def reference_of(row: Any) -> str:
    """The merchant's own name of the record, or of its order."""
    order = getattr(row, "order", None)
    return getattr(row, "reference", "") or getattr(order, "reference", "") or ""


def _leave_out_shown(context: dict[str, Any]) -> None:
    """What the head shows. A field that can be changed stays."""
    form = context["adminform"]
    form.fieldsets = fieldsets.without(form.fieldsets, IN_HEAD & set(form.readonly_fields))


def _gather_technical(context: dict[str, Any], row: Any) -> None:
    """One fold at the end of the page. It is open for operators, whose work it is."""
    form, is_of_merchant = context["adminform"], tenancy.current_user_is_merchant()
    technical = copy(form)
    technical.fieldsets = [each for each in form.fieldsets if fieldsets.is_technical(each)]
    form.fieldsets = [each for each in form.fieldsets if not fieldsets.is_technical(each)]
    lines = context.get("timeline_technical")
    pk = copyable(str(row.pk)) if is_of_merchant and context["record_head"] else ""
    if pk or technical.fieldsets or lines:
        is_open = not is_of_merchant
        context["record_technical"] = {"form": technical, "id": pk, "is_open": is_open}


def _leave_out_repeated(context: dict[str, Any]) -> None:
    """The buttons of the next step do not stand beside the title again."""
    lines = (context["record_step"] or {}).get("lines", ())
    paths = (path for line in lines for _title, path in line["buttons"])
    context["actions_detail"] = without(context.get("actions_detail") or (), paths)


def nit_warnings(doc_type: str, document: str) -> list[object]:
    """Warns about a NIT with a wrong check digit, which may be mistyped.

    Such a NIT is not refused. A company's nine digits are a NIT without its check digit.
    """
    if doc_type != "NIT" or nit.is_valid(document) or is_company_nit(document):
        return []
    if tenancy.current_user_is_merchant():
        return [
            gettext(
                "The check digit of the NIT is wrong, so the number may be mistyped. Compare it "
                "with the RUT of the person or company."
            )
        ]
    return [
        gettext(
            "The check digit of the NIT is wrong, so the number may be mistyped. Ask the merchant "
            "to compare it with the RUT of the beneficiary."
        )
    ]
