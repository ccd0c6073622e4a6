"""The pages of the steps. A person without the right has neither the button nor the page."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction, own_right_to, right_to
from payments.console.formatting import actor, admin_url
from payments.console.model_admins import PossibleActions
from payments.core import clock
from payments.payout_batches.admin import decision_facts, forms, next_steps
from payments.payout_batches.files.headings import COLUMNS, OF_ACCOUNTS, REQUIRED
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import steps, uploads
from payments.payout_batches.services.steps import Person, Submission


class BatchSteps(PossibleActions):
    has_prepare_permission = own_right_to("prepare")
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
        help_page = {"help_template": "admin/payout_file_columns.html", "columns": _columns()}
        return self.confirm_first(request, None, confirmed, perform, **help_page)

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
            text = gettext("Sent for approval: it is paid when it is approved.")
            text = gettext("The payouts are being created.") if is_running else text
            return self.done(request, batch, confirmed, text)

        context = shown(batch)
        approvers = decision_facts.who_approves(batch, actor(request))
        if approvers:
            context["facts"].append((gettext("Who approves"), approvers))
        else:
            confirmed = replace(confirmed, explanation=forms.WITHOUT_APPROVAL)
        return self.confirm_first(request, batch, confirmed, perform, **context)

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

        reject = reverse("admin:payout_batches_payoutbatch_reject", args=[batch.pk])
        context = {**shown(batch), "other_way": (forms.REJECT.title, reject)}
        return self.confirm_first(request, batch, forms.APPROVE, perform, **context)

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


def _columns() -> list[tuple[object, str]]:
    """The headings of a file, and when each is needed."""

    def need(name: str) -> str:
        if name in REQUIRED:
            return gettext("required")
        if name in OF_ACCOUNTS:
            return gettext("for bank accounts")
        return gettext("for Bre-B keys") if name == "key_value" else gettext("optional")

    return [(heading, need(name)) for name, heading in COLUMNS.items()]


def shown(batch: PayoutBatch) -> dict[str, Any]:
    """What the person decides about, and what is unusual about it."""
    return {
        "facts": decision_facts.facts(batch),
        "has_sum": True,
        "alerts": [str(one) for one in next_steps.before_paying(batch)],
    }
