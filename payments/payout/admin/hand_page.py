"""Payouts by hand: the form, the dry run, the request. For people of merchants only."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action
from unfold.enums import ActionVariant

from merchants.models import Merchant
from payments.console import reauthentication, tenancy
from payments.console.actions import new_form_token
from payments.console.formatting import admin_url
from payments.core import clock, money
from payments.core.errors import ServiceError
from payments.payout.admin import dry_run_facts
from payments.payout.admin.hand_form import SAVED, HandForm
from payments.payout.admin.place_form import QR, code_facts
from payments.payout.admin.team_actions import TeamActions
from payments.payout.models import Payout
from payments.payout.services import beneficiaries, by_hand, dry_run
from payments.payout.services.by_hand import BeneficiaryChanged, HandPayout
from payments.payout.services.dry_run import Plan
from payments.payout.services.qr_codes import QRDestination

TITLE = _("Make a payout")
# The steps of the form, as its buttons send them.
CHECK, ASK, EDIT, READ = "check", "ask", "edit", "read"
TOKEN_MAX = 40


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that is valid, at one time."""

    request: HttpRequest
    user: User
    form: HandForm
    now: datetime

    @property
    def token(self) -> str:
        return self.request.POST.get("token", "")[:TOKEN_MAX] or new_form_token()

    @property
    def repeats(self) -> str:
        """The payout that the person wants to repeat."""
        return self.request.POST.get("repeats", "") if "again" in self.request.POST else ""


class HandPayoutPage(TeamActions):
    """`pay` is an action of the list."""

    def get_actions_list(self, request: HttpRequest) -> list[UnfoldAction]:
        """Not offered to people whose account may not pay."""
        offered: list[UnfoldAction] = super().get_actions_list(request)
        if not tenancy.is_merchant_user(request) or enabled(request):
            return offered
        return [one for one in offered if not one.action_name.endswith("_pay")]

    @action(
        description=TITLE, icon="send_money", variant=ActionVariant.PRIMARY, permissions=["prepare"]
    )
    def pay(self, request: HttpRequest) -> HttpResponse:
        """Nothing is stored before the last step. The dry run calls the rail of a key."""
        if not self.has_prepare_permission(request) or not isinstance(request.user, User):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        merchants = enabled(request)
        if not merchants:
            return self.page(
                request,
                "admin/refused.html",
                status=403,
                title=TITLE,
                why=_NOT_ENABLED,
                way_on=(gettext("Payouts"), self.back_url(None)),
            )
        if request.method != "POST":
            return self._form_page(request, HandForm(merchants, initial=_initial(request)))
        step = request.POST.get("step", CHECK)
        if step == READ and request.POST.get("how") == QR:
            return self._read_code(request, merchants)
        form = HandForm(merchants, request.POST)
        if not form.is_valid() or step == EDIT:
            return self._form_page(request, form, status=200 if step == EDIT else 400)
        sent = Sent(request, request.user, form, clock.now())
        return self._ask(sent) if step == ASK else self._dry_run(sent)

    def _read_code(self, request: HttpRequest, merchants: list[Merchant]) -> HttpResponse:
        """The form again, with what the code says. What else was typed stays."""
        form = HandForm(merchants, request.POST)
        form.full_clean()
        if (code := form.code) is None:
            for name in set(form.errors) - {"qr"}:
                del form.errors[name]
            return self._form_page(request, form, status=400)
        typed: dict[str, object] = {name: request.POST.get(name, "") for name in form.fields}
        typed |= {"remember": "remember" in request.POST, "name": code.code.name or typed["name"]}
        if code.code.amount is not None:
            typed["amount"] = money.digits(code.code.amount, money.FIAT)
        return self._form_page(request, HandForm(merchants, initial=typed), code=code)

    def _dry_run(self, sent: Sent, error: ServiceError | None = None) -> HttpResponse:
        plan = Plan(merchant=sent.form.chosen, wanted=sent.form.wanted())
        try:
            run = dry_run.run(plan=plan, user=sent.user, now=sent.now)
        except ServiceError as refused:
            sent.form.add_error(None, refused.shown())
            return self._form_page(sent.request, sent.form, status=400)
        shown = dry_run_facts.context(run, sent.form, now=sent.now)
        status = 200 if error is None else 400
        return self.page(
            sent.request,
            "admin/payout_dry_run.html",
            status=status,
            title=gettext("Check the payout"),
            form=sent.form,
            run=run,
            token=sent.token,
            error=error.shown() if error else "",
            back_url=self.back_url(None),
            **shown,
        )

    def _ask(self, sent: Sent) -> HttpResponse:
        if (page := reauthentication.require_reauthentication(sent.request)) is not None:
            return page
        if sent.request.POST.get("seen") != dry_run_facts.seen(sent.form):
            return self._dry_run(sent, BeneficiaryChanged())
        try:
            payout, is_replay = by_hand.ask(new=_new(sent), user=sent.user, now=sent.now)
        except ServiceError as error:
            return self._dry_run(sent, error)
        if is_replay:
            messages.info(sent.request, gettext("This payout was made already: here it is."))
        else:
            self._remember(sent, payout)
            messages.success(sent.request, _done(payout))
        return redirect(admin_url(payout) or "admin:index")

    def _remember(self, sent: Sent, payout: Payout) -> None:
        if sent.form.cleaned_data.get("remember") and not sent.form.is_saved:
            beneficiaries.remember(
                merchant=sent.form.chosen,
                details=sent.form.details,
                user=sent.user,
                payout=payout,
            )

    def _form_page(
        self,
        request: HttpRequest,
        form: HandForm,
        status: int = 200,
        code: QRDestination | None = None,
    ) -> HttpResponse:
        code = code or form.code
        return self.page(
            request,
            "admin/payout_hand.html",
            status=status,
            title=TITLE,
            form=form,
            code=code_facts(code) if code else None,
            may_read_code=True,
            back_url=self.back_url(None),
            token=request.POST.get("token", "")[:TOKEN_MAX] or new_form_token(),
        )


_NOT_ENABLED = _("Payouts are not enabled for this account. Ask Pasarela to enable them.")


def enabled(request: HttpRequest) -> list[Merchant]:
    rows = Merchant.objects.filter(
        pk__in=tenancy.merchants(request), is_active=True, payout_enabled=True
    )
    return list(rows.defer("webhook_secret").order_by("name", "pk"))


def _initial(request: HttpRequest) -> dict[str, object]:
    """From the page of a beneficiary: `?to=`."""
    to = request.GET.get("to", "")
    how = {"how": SAVED, "beneficiary": to} if to else {}
    return {**how, "remember": True}


def _new(sent: Sent) -> HandPayout:
    form = sent.form
    return HandPayout(
        merchant=form.chosen,
        token=sent.token,
        wanted=form.wanted(),
        fee=dry_run_facts.read_fee(sent.request.POST.get("fee", "")),
        repeats=sent.repeats,
        reference=form.cleaned_data["reference"],
    )


def _done(payout: Payout) -> str:
    if payout.needs_team_approval:
        return gettext("The payout waits for the approval of a colleague.")
    if payout.needs_approval:
        return gettext("The payout waits for the approval of Pasarela.")
    return gettext("The payout is on its way.")
