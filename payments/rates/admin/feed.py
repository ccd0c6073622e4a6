"""Console pages of the price feed: prices, what the sources said, and jumps to decide about."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.formatting import actor, amount, badge, timestamp_column, when
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import PossibleActions
from payments.core import clock, money
from payments.rates import services
from payments.rates.admin.rates import source_name
from payments.rates.feed import decisions
from payments.rates.models import CoinFeed, SourceAnswer

Outcome = CoinFeed.Outcome
KINDS = {
    Outcome.PRICED: "success",
    Outcome.BY_HAND: "info",
    Outcome.WAITS: "danger",
    Outcome.REFUSED: "warning",
    Outcome.NO_AGREEMENT: "warning",
}


class JumpForm(ReasonForm):
    """`seen` is the price that the page was about."""

    seen = forms.DecimalField(widget=forms.HiddenInput())


ACCEPT = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Accept price"),
    explanation=_("Quotes made from now on use the price that waits. Compare it with a market."),
    submit=_("Accept price"),
    danger=True,
    form_class=JumpForm,
)
REFUSE = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Refuse price"),
    explanation=_(
        "The old price stays until it is too old. From then on payers cannot pay with this coin. "
        "Prices near the refused one are not offered again."
    ),
    submit=_("Refuse price"),
    form_class=JumpForm,
)
RESUME = ConfirmedAction(
    verb="resume",
    needs_reauthentication=True,
    title=_("Back to the feed"),
    explanation=_("The typed price ends. The feed sets the next one."),
    submit=_("Back to the feed"),
)


class SourceAnswerInline(ReadOnlyInline):
    model = SourceAnswer
    asked = timestamp_column("checked_at", _("asked at"))
    answered = timestamp_column("answered_at", _("time of its last price"))
    fields = ["source", "result", "bid_shown", "ask_shown", "answered", "asked", "refused"]
    readonly_fields = fields
    ordering = ["source"]
    verbose_name_plural = _("What the sources said last")

    @display(description=_("result"))
    def result(self, one: SourceAnswer) -> SafeString:
        if not one.reason:
            return badge(gettext("counts"), "success")
        shown = badge(one.get_reason_display(), "warning")
        return format_html("{} {}", shown, one.detail)

    @display(description=_("buyers give"))
    def bid_shown(self, one: SourceAnswer) -> str:
        return amount(one.bid, money.FIAT)

    @display(description=_("sellers want"))
    def ask_shown(self, one: SourceAnswer) -> str:
        return amount(one.ask, money.FIAT)

    @display(description=_("answers that did not count"))
    def refused(self, one: SourceAnswer) -> str:
        return str(sum(one.refusals.values()))


@admin.register(CoinFeed)
class CoinFeedAdmin(PossibleActions):
    """Where the price of each coin comes from now."""

    shown_if_empty = _(
        "The price feed fills this list: each coin appears when the feed first asks its sources. "
        "The feed runs if the server's RATE_SOURCES names sources. Without it, prices are typed "
        "in “Exchange rates”."
    )

    checked = timestamp_column("checked_at", _("last look at the sources"))
    decided = timestamp_column("decided_at", _("decided at"))
    list_display = ["currency", "price", "source", "effective", "state", "apart", "checked"]
    list_filter = ["outcome"]
    ordering = ["currency"]
    fields = [
        ("currency", "state"),
        ("price", "source"),
        ("effective", "checked"),
        ("apart", "waiting"),
        ("decided_by", "decided"),
    ]
    readonly_fields = [*list_display, "waiting", "decided_by", "decided"]
    inlines = [SourceAnswerInline]
    actions_detail = ["accept_jump", "refuse_jump", "resume"]
    has_decide_permission = right_to("decide")
    has_resume_permission = right_to("resume")

    def possible(self, row: CoinFeed) -> set[str]:
        found = {"accept_jump", "refuse_jump"} if row.waiting_bid is not None else set()
        return found | ({"resume"} if row.is_by_hand else set())

    @display(description=_("price"))
    def price(self, feed: CoinFeed) -> str:
        newest = services.newest_rate(feed.pk, now=clock.now())
        return amount(newest.price_cop, money.FIAT) if newest else "-"

    @display(description=_("source"))
    def source(self, feed: CoinFeed) -> str:
        newest = services.newest_rate(feed.pk, now=clock.now())
        return source_name(newest.source) if newest else "-"

    @display(description=_("effective at"))
    def effective(self, feed: CoinFeed) -> str | SafeString:
        now = clock.now()
        newest = services.newest_rate(feed.pk, now=now)
        if newest is None:
            return "-"
        age = gettext("%(seconds)s s ago") % {
            "seconds": money.grouped(str(int((now - newest.effective_at).total_seconds())))
        }
        if services.is_stale(newest, now):
            return format_html(
                "{} {}", when(newest.effective_at), badge(gettext("too old"), "danger")
            )
        return f"{when(newest.effective_at)} ({age})"

    @display(description=_("state"), ordering="outcome")
    def state(self, feed: CoinFeed) -> str | SafeString:
        if not feed.outcome:
            return "-"
        return badge(feed.get_outcome_display(), KINDS[Outcome(feed.outcome)])

    @display(description=_("disagreement of the sources"), ordering="disagreement")
    def apart(self, feed: CoinFeed) -> str:
        return "-" if feed.disagreement is None else amount(feed.disagreement * 100, "%")

    @display(description=_("price that waits"))
    def waiting(self, feed: CoinFeed) -> str:
        if feed.waiting_bid is None:
            return "-"
        return f"{amount(feed.waiting_bid, money.FIAT)} ({feed.waiting_sources})"

    def _change(self, feed: CoinFeed) -> str:
        facts = {"old": self.price(feed), "new": self.waiting(feed)}
        return gettext("From %(old)s to %(new)s") % facts

    @action(
        description=ACCEPT.title,
        icon="check_circle",
        variant=ActionVariant.PRIMARY,
        permissions=["decide"],
    )
    def accept_jump(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, ACCEPT, decisions.accept_jump)

    @action(
        description=REFUSE.title,
        icon="cancel",
        variant=ActionVariant.DANGER,
        permissions=["decide"],
    )
    def refuse_jump(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REFUSE, decisions.refuse_jump)

    @action(description=RESUME.title, icon="sensors", permissions=["resume"])
    def resume(self, request: HttpRequest, object_id: str) -> HttpResponse:
        feed: CoinFeed = self.get_record(request, object_id)
        return self._confirm(request, feed, RESUME, decisions.resume_feed)

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        service: Callable[..., Any],
    ) -> HttpResponse:
        feed: CoinFeed = self.get_record(request, object_id)
        asked = replace(confirmed, initial={"seen": feed.waiting_bid})
        return self._confirm(request, feed, asked, service, rows=[self._change(feed)])

    def _confirm(
        self,
        request: HttpRequest,
        feed: CoinFeed,
        confirmed: ConfirmedAction,
        service: Callable[..., Any],
        **facts: object,
    ) -> HttpResponse:
        def act(form: Cleaned) -> None:
            service(currency=feed.pk, actor=actor(request), now=clock.now(), **form)

        return self.confirm_and_return(request, feed, confirmed, act, **facts)
