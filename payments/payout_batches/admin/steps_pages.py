"""The pages of the steps. A person without the right has neither the button nor the page."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.formatting import actor, admin_url, amount
from payments.console.model_admins import PossibleActions
from payments.console.timeline import who
from payments.core import clock, money
from payments.payout_batches.admin import forms, next_steps
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import steps, uploads
from payments.payout_batches.services.steps import Person, Submission


class BatchSteps(PossibleActions):
    has_prepare_permission = right_to("prepare")
    has_approve_permission = right_to("approve")
    has_stop_permission = right_to("stop")
    has_restart_permission = right_to("restart")

    @action(
        description=forms.UPLOAD.title,
        icon="upload_file",
        permissions=["prepare"],
        variant=ActionVariant.PRIMARY,
    )
    def upload(self, request: HttpRequest) -> HttpResponse:
        if not tenancy.is_merchant_user(request) or not self.has_prepare_permission(request):
            raise PermissionDenied
        own = tenancy.merchants(request)
        replaces = request.GET.get("replaces", "")[:40]

        def perform(form: Cleaned) -> HttpResponse:
            new = uploads.NewFile(
                merchant=form["merchant"],
                name=form["file"].name,
                content=form["file"].read(),
                currency=form["currency"],
                replaces=form["replaces"],
            )
            batch = uploads.store_file(new=new, actor=actor(request), now=clock.now())
            return redirect(str(admin_url(batch)))

        confirmed = forms.upload_action(own, {"replaces": replaces})
        return self.confirm_first(request, None, confirmed, perform)

    @action(
        description=forms.SEND.title,
        icon="send",
        permissions=["prepare"],
        variant=ActionVariant.PRIMARY,
    )
    def send(self, request: HttpRequest, object_id: str) -> HttpResponse:
        batch: PayoutBatch = self.get_record(request, object_id)
        confirmed = forms.send_action(batch, next_steps.missing_pesos(batch) > 0)

        def perform(form: Cleaned) -> HttpResponse:
            steps.submit(
                batch_id=batch.pk,
                person=Person(actor=actor(request)),
                submission=Submission(**form),
                now=clock.now(),
            )
            batch.refresh_from_db()
            is_running = batch.status == PayoutBatch.Status.RUNNING
            text = gettext("Sent: another person approves it now.")
            text = gettext("The payouts are being created.") if is_running else text
            return self.done(request, batch, confirmed, text)

        return self.confirm_first(request, batch, confirmed, perform, **shown(batch))

    @action(
        description=forms.APPROVE.title,
        icon="check_circle",
        permissions=["approve"],
        variant=ActionVariant.PRIMARY,
    )
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        batch: PayoutBatch = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            runs = self._approve(request, batch, form["reason"])
            text = gettext("Approved: the payouts are being created.")
            return self.done(
                request,
                batch,
                forms.APPROVE,
                text if runs else gettext("Approved. One more person has to approve it."),
            )

        return self.confirm_first(request, batch, forms.APPROVE, perform, **shown(batch))

    def _approve(self, request: HttpRequest, batch: PayoutBatch, reason: str) -> bool:
        now = clock.now()
        if not tenancy.is_merchant_user(request):
            person = Person(actor=actor(request), reason=reason)
            return steps.approve_as_operator(batch_id=batch.pk, person=person, now=now)
        if not isinstance(request.user, User):
            raise PermissionDenied
        return steps.approve(batch_id=batch.pk, user=request.user, reason=reason, now=now)

    @action(
        description=forms.REJECT.title,
        icon="block",
        permissions=["approve"],
        variant=ActionVariant.DANGER,
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._take(request, object_id, forms.REJECT, steps.reject)

    @action(
        description=forms.DISCARD.title,
        icon="delete",
        permissions=["prepare"],
        variant=ActionVariant.DANGER,
    )
    def discard(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._take(request, object_id, forms.DISCARD, steps.discard)

    @action(description=forms.PAUSE.title, icon="pause_circle", permissions=["stop"])
    def pause(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._take(request, object_id, forms.PAUSE, steps.pause)

    @action(description=forms.RESUME.title, icon="play_circle", permissions=["prepare"])
    def resume(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._take(request, object_id, forms.RESUME, steps.resume)

    @action(description=forms.RESTART.title, icon="play_circle", permissions=["restart"])
    def restart(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Of operators."""
        return self._take(request, object_id, forms.RESTART, steps.restart)

    @action(
        description=forms.CANCEL.title,
        icon="cancel",
        permissions=["stop"],
        variant=ActionVariant.DANGER,
    )
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._take(request, object_id, forms.CANCEL, steps.cancel)

    @action(description=forms.MEND, icon="upload_file", permissions=["prepare"])
    def mend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        batch: PayoutBatch = self.get_record(request, object_id)
        url = reverse("admin:payout_batches_payoutbatch_upload")
        return redirect(f"{url}?replaces={batch.pk}")

    def _take(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        step: Callable[..., Any],
    ) -> HttpResponse:
        batch: PayoutBatch = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            person = Person(actor=actor(request), reason=form["reason"])
            step(batch_id=batch.pk, person=person, now=clock.now())
            return self.done(request, batch, confirmed)

        return self.confirm_first(request, batch, confirmed, perform, **shown(batch))


def shown(batch: PayoutBatch) -> dict[str, Any]:
    """What the person decides about, and what is unusual about it."""
    total = batch.amount + batch.fee_amount
    facts: list[tuple[object, object]] = [
        (gettext("Total debit"), amount(total, money.FIAT)),
        (gettext("File"), batch),
        (gettext("Payouts"), _lines_of(batch)),
        (gettext("Amount"), amount(batch.amount, money.FIAT)),
        (gettext("Fees"), amount(batch.fee_amount, money.FIAT)),
        *_balances(batch, total),
    ]
    if batch.submitted_by:
        facts.append((gettext("Sent by"), who(batch.submitted_by)))
    return {
        "facts": facts,
        "has_sum": True,
        "alerts": [str(one) for one in next_steps.before_paying(batch)],
    }


def _lines_of(batch: PayoutBatch) -> SafeString:
    address = reverse("admin:payout_batches_batchline_changelist")
    text = gettext("%(count)s, see them all") % {"count": money.grouped(str(batch.line_count))}
    return format_html('<a href="{}?file={}">{}</a>', address, batch.pk, text)


def _balances(batch: PayoutBatch, total: Decimal) -> list[tuple[object, object]]:
    """Before it is paid. Of a balance in another currency the debit is not known yet."""
    if batch.approved_at is not None or batch.currency != money.BALANCE_OF_FIAT:
        return []
    now = next_steps.available(batch)
    return [
        (gettext("Balance before"), amount(now, money.FIAT)),
        (gettext("Balance after"), amount(now - total, money.FIAT)),
    ]
