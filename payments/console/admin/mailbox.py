"""The mailbox: mails that the service sent, or will send."""

import re
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display

from payments.api.request_log import redaction
from payments.console.actions import ConfirmedAction, right_to
from payments.console.changelist import DaysFilter, RecentValuesFilter
from payments.console.detail_page import NextStep
from payments.console.exports.columns import fields as columns
from payments.console.formatting import (
    actor,
    badge,
    link,
    time_element,
    timestamp_column,
    when,
)
from payments.console.model_admins import PossibleActions
from payments.console.subjects import NOTHING, about
from payments.core import clock, masking
from payments.mail import outbox
from payments.mail.models import Mail

KINDS = {
    "PENDING": "info",
    "SENT": "success",
    "FAILED": "danger",
    "NOT_SENT": "warning",
    "NOT_NEEDED": "default",
}
# By the directory of templates/mail.
WORDS = {
    "account_changed": _("Notice of a change in the account"),
    "batch_finished": pgettext_lazy("mail", "Payout file finished"),
    "batch_waits": pgettext_lazy("mail", "Payout file that waits for approval"),
    "dispute_deadline": pgettext_lazy("mail", "Deadline of a dispute"),
    "invitation": pgettext_lazy("mail", "Invitation"),
    "payout_waits": pgettext_lazy("mail", "Payout that waits for approval"),
    "receipt": pgettext_lazy("mail", "Receipt of a payment"),
    "refund": pgettext_lazy("mail", "Refund that was paid"),
    "webhooks_failing": pgettext_lazy("mail", "Webhooks that do not arrive"),
}
_LINK = re.compile(r"https?://\S+")
# The record that a mail is about is named in its key.
_ID = re.compile(r"\b[a-z]{2,5}_[0-9a-z]{26}\b")
AGAIN = ConfirmedAction(
    verb="resend",
    title=_("Send again"),
    explanation=_("The mail is tried again from the beginning, with the text that it has."),
    submit=_("Send again"),
)


def shown_text(mail: Mail) -> str:
    """The text for a person who may see personal data.

    A link that gives rights is shown in development only: in production its reader could
    take the account over. It is erased when the mail was sent, or the link has ended.
    """
    if mail.is_secret and not mail.text:
        return gettext("The text had a secret link and was erased.")
    if mail.is_secret and settings.PRODUCTION:
        return gettext("The text has a secret link, so it is not shown.")
    return mail.text


def _why_it_waits(row: Mail) -> str:
    if row.due_at is None or row.due_at <= clock.now():
        return gettext("It is sent within a minute.")
    return gettext("It is tried again at %s.") % when(row.due_at)


class KindFilter(RecentValuesFilter):
    def choices(self, changelist: ChangeList) -> Any:
        for choice in super().choices(changelist):
            shown = choice["display"]
            yield {**choice, "display": WORDS.get(str(shown), shown)}


@admin.register(Mail)
class MailAdmin(PossibleActions):
    when = timestamp_column("created_at", _("when"))
    private = [
        (_("recipient"), lambda mail: mail.to),
        (_("text"), shown_text),
    ]
    has_timeline = True
    private_fields = frozenset({"to", "text", "html", "key", "subject"})
    shown_if_empty = _(
        "The mails of the service: receipts to payers, invitations and alerts to people of "
        "merchants."
    )
    list_display = ["when", "state", "recipient", "title", "kind", "merchant_shown", "attempts"]
    tab_field = "status"
    list_filter = ["status", ("template", KindFilter), ("created_at", DaysFilter)]
    search_fields = ["to__exact"]
    search_help_text = _("The whole address, or the id of a merchant")
    ordering = ["-created_at"]
    fields = [
        ("merchant_shown", "about_shown"),
        ("attempts", "language_shown"),
        "error",
        "masked_text",
    ]
    readonly_fields = [
        *("merchant_shown", "about_shown", "attempts", "language_shown", "error", "masked_text"),
    ]
    export_columns = columns(
        createdAt="created_at", status="status", kind="template", merchantId="merchant_id"
    )
    actions_detail = ["send_again"]
    has_resend_permission = right_to("resend")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Mail], search_term: str
    ) -> tuple[QuerySet[Mail], bool]:
        """Each kind of term uses its own index."""
        if not (term := search_term.strip()):
            return queryset, False
        name = "merchant_id" if term.startswith("mer_") else "to"
        return queryset.filter(**{name: term}), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        mails: QuerySet[Mail] = super().get_queryset(request)
        merchants = apps.get_model("merchants.merchant")._default_manager
        named = merchants.filter(pk=OuterRef("merchant_id")).values("name")[:1]
        return mails.annotate(merchant_name=Subquery(named))

    def title_of(self, row: Mail) -> object:
        return self.kind(row)

    def timeline_lines(self, row: Mail) -> None:
        """The facts of the page are all that is kept."""

    def next_step(self, row: Mail) -> NextStep | None:
        if row.status == Mail.Status.PENDING:
            return NextStep(why=_why_it_waits(row))
        actions = tuple(self.possible(row))
        if row.status == Mail.Status.FAILED:
            return NextStep(why=gettext("No attempt reached the recipient."), actions=actions)
        if row.status == Mail.Status.NOT_SENT:
            why = gettext("There was no mail server when it was due, so it was not sent.")
            return NextStep(why=why, actions=actions)
        return None

    def head(self, row: Mail) -> dict[str, Any]:
        """What the mail is, to whom it goes and whether it went out."""
        facts: list[tuple[object, object]] = [(gettext("recipient"), self.recipient(row))]
        at = time_element(row.sent_at or row.created_at)
        facts.append((gettext("sent at") if row.sent_at else gettext("when"), at))
        return {"amount": row.subject, "state": self.state(row), "facts": facts}

    def possible(self, row: Mail) -> set[str]:
        may = outbox.is_configured() and outbox.sendable_again().filter(pk=row.pk).exists()
        return {"send_again"} if may else set()

    @display(description=_("recipient"))
    def recipient(self, mail: Mail) -> str:
        return masking.email(mail.to)

    @display(description=_("subject of the mail"))
    def title(self, mail: Mail) -> str:
        return mail.subject

    @display(description=_("merchant"))
    def merchant_shown(self, mail: Mail) -> str | SafeString:
        if not mail.merchant_id:
            return "-"
        model = apps.get_model("merchants.merchant")
        name = getattr(mail, "merchant_name", None) or mail.merchant_id
        return link(model(pk=mail.merchant_id), name)

    @display(description=_("record"))
    def about_shown(self, mail: Mail) -> str | SafeString:
        found = _ID.search(mail.key)
        return about(found[0], NOTHING) if found else "-"

    @display(description=_("status"), ordering="status")
    def state(self, mail: Mail) -> SafeString:
        if mail.status == Mail.Status.SENT and not outbox.reaches_people():
            return badge(gettext("In the log of development"), "warning")
        return badge(mail.get_status_display(), KINDS[mail.status])

    @display(description=_("kind"), ordering="template")
    def kind(self, mail: Mail) -> str:
        return str(WORDS.get(mail.template, mail.template))

    @display(description=_("language"))
    def language_shown(self, mail: Mail) -> str:
        names = {code: str(name) for code, name in settings.LANGUAGES}
        return names.get(mail.language, mail.language)

    @display(description=_("text"))
    def masked_text(self, mail: Mail) -> str | SafeString:
        """Without addresses, long numbers and links. The page that reveals them shows them."""
        text = _LINK.sub(gettext("(link hidden)"), shown_text(mail))
        return (
            format_html('<pre class="shell-text">{}</pre>', redaction.text(text)) if text else "-"
        )

    @action(description=gettext_lazy("Send again"), url_path="send-again", permissions=["resend"])
    def send_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        mail = self.get_record(request, object_id)

        def perform(given: dict[str, object]) -> HttpResponse:
            outbox.send_again(mail=mail, actor=actor(request), reason=str(given["reason"]))
            return self.done(request, mail, AGAIN, gettext("The mail is on its way."))

        return self.confirm_first(request, mail, AGAIN, perform)
