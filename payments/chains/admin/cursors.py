"""How far each account has read its chain."""

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display

from payments.chains import decisions
from payments.chains.models import ChainCursor, Problem
from payments.chains.services import watching
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.formatting import actor, badge, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.core import clock
from payments.providers.ports import ProviderError

RESTART = ConfirmedAction(
    verb="restart",
    needs_reauthentication=True,
    title=_("Read the chain again"),
    explanation=_(
        "The node's chain is read again from a thousand blocks below. Deposits that it does not "
        "have are gone; final ones stay credited and wait in a work queue. Make sure first that "
        "the node is on the right network."
    ),
    submit=_("Read again"),
    danger=True,
)


@admin.register(ChainCursor)
class ChainCursorAdmin(PossibleActions):
    tip = timestamp_column("tip_time", _("time of the newest block"))
    scanned = timestamp_column("scanned_at", _("scanned at"))
    since = timestamp_column("problem_since", _("since"))
    shown_if_empty = _(
        "How far each network was read. A row comes when an account of a node is active."
    )
    list_display = ["account", "network", "state", "height", "tip_height", "tip", "scanned"]
    list_filter = ["network", "problem"]
    ordering = ["account"]
    fields = [
        ("account", "network"),
        ("state", "since"),
        ("height", "scanned"),
        "hash",
        ("tip_height", "tip"),
    ]
    readonly_fields = ["state", "since", "tip", "scanned"]
    actions_detail = ["restart"]
    has_restart_permission = right_to("restart")

    def possible(self, row: ChainCursor) -> set[str]:
        return {"restart"} if row.problem == Problem.OTHER_CHAIN else set()

    @display(description=_("state"))
    def state(self, cursor: ChainCursor) -> SafeString:
        if cursor.problem:
            return badge(cursor.get_problem_display(), "danger")
        if watching.obstacle(cursor, clock.now()):
            return badge(gettext("not up to date: no new addresses"), "warning")
        return badge(gettext("watched"), "success")

    @action(description=RESTART.title, icon="restart_alt", permissions=["restart"])
    def restart(self, request: HttpRequest, object_id: str) -> HttpResponse:
        cursor: ChainCursor = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            try:
                decisions.restart_chain(
                    account=cursor.pk, actor=actor(request), now=clock.now(), **form
                )
            except ProviderError as error:
                raise ValidationError(gettext("The node does not answer.")) from error
            return self.done(request, cursor, RESTART)

        return self.confirm_first(request, cursor, RESTART, perform)
