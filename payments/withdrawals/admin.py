"""Console pages of bank accounts: entering, verifying, withdrawing."""

from dataclasses import replace
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.legal import tax_ids
from merchants.legal.models import LegalData
from payments.console import kept_files, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, own_right_to, right_to, shows_facts
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    actor,
    amount,
    badge,
    link,
    link_column,
    time_element,
    timestamp_column,
)
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import PossibleActions
from payments.console.timeline import (
    TimelineLine,
    action_words,
    add_actions,
    add_states,
    timeline,
    who,
)
from payments.core import audit, clock, masking, money
from payments.payout.admin import record_places
from payments.withdrawals import certificates
from payments.withdrawals.forms import AccountForm
from payments.withdrawals.models import BankAccount, Withdrawal
from payments.withdrawals.overview import of_own, state_of
from payments.withdrawals.record_place import place_of
from payments.withdrawals.services import bank_accounts
from payments.withdrawals.withdraw_page import WITHDRAW, WithdrawPage

Status = BankAccount.Status
COLOURS = {"UNVERIFIED": "warning", "VERIFIED": "success", "REJECTED": "danger", "REPLACED": "info"}
add_states("bankaccount", dict(Status.choices))
add_actions(
    {
        "bank_account.entered": _("Entered the bank account"),
        "bank_account.verified": _("Verified the bank account"),
        "bank_account.rejected": _("Rejected the bank account"),
        "bank_account.certificate_read": _("Downloaded the bank's certificate"),
        "withdrawal.asked": _("Asked for a withdrawal"),
    }
)


ENTER = ConfirmedAction(
    verb="enter",
    needs_reauthentication=True,
    carries=False,
    title=_("Set the bank account"),
    explanation=_(
        "The account of the business itself. Add your bank's certificate of the account: an "
        "operator compares both, and from then on you can withdraw."
    ),
    submit=_("Save"),
    form_class=AccountForm,
)
VERIFY = ConfirmedAction(
    verb="verify",
    needs_reauthentication=True,
    title=_("Verify the bank account"),
    explanation=_(
        "Compare holder, NIT, bank and the whole number with the bank's certificate. From now on "
        "the merchant may withdraw its balance to this account."
    ),
    submit=_("Verify"),
)
REJECT = ConfirmedAction(
    verb="verify",
    needs_reauthentication=True,
    title=_("Reject the bank account"),
    explanation=_(
        "No withdrawal goes to this account any more: those that wait for approval end, and their "
        "money is in the balance again. The merchant enters another one."
    ),
    submit=_("Reject"),
    danger=True,
)


record_places.add_places(place_of)


class WithdrawalInline(ReadOnlyInline):
    model = Withdrawal
    for_merchants = True
    fields = ["payout_link", "amount_shown", "state", "asked_by", "when"]
    readonly_fields = fields
    ordering = ["-created_at"]
    max_num = 20
    verbose_name_plural = _("withdrawals")
    when = timestamp_column("created_at", _("when"))

    @display(description=_("payout"))
    def payout_link(self, row: Withdrawal) -> str | SafeString:
        return link(row.payout)

    @display(description=_("amount"))
    def amount_shown(self, row: Withdrawal) -> str:
        return amount(row.payout.amount, money.FIAT)

    @display(description=_("status"))
    def state(self, row: Withdrawal) -> SafeString:
        return state_of(row.payout)


@admin.register(BankAccount)
class BankAccountAdmin(WithdrawPage):
    empty_text = _(
        "Register the bank account of your business. Once Pasarela has verified it, you "
        "withdraw your balance to it."
    )
    shown_if_empty = _(
        "Bank accounts to which merchants withdraw their balance. A merchant registers one, "
        "and an operator verifies it."
    )
    merchant_path = "merchant"
    merchant_pages = PossibleActions.merchant_pages | {"certificate"}
    merchant_actions = frozenset({"enter", "withdraw"})
    merchant_link = link_column("merchant", _("merchant"))
    created = timestamp_column("created_at", _("created at"))
    private = [
        (_("account number"), lambda account: account.account_number),
        ("NIT", lambda account: tax_ids.shown(account.nit)),
    ]
    private_fields = frozenset({"account_number", "nit"})
    list_display = ["number", "bank", "merchant_link", "holder_name", "state", "created"]
    list_filter = ["status", ("merchant", AutocompleteSelectFilter)]
    list_filter_submit = True
    list_select_related = ["merchant", "bank"]
    search_fields = ["id__exact"]
    search_help_text = _("Id of the account")
    tab_field = "status"
    is_short_for_merchants = True
    ordering = ["-id"]
    fields: ClassVar[Any] = [
        ("bank", "account_type"),
        ("number", "tax_id"),
        ("entered_by", "decided_by"),
        "certificate_shown",
    ]
    readonly_fields = [
        *("bank", "account_type", "number", "tax_id"),
        *("entered_by", "decided_by", "certificate_shown"),
    ]
    inlines = [WithdrawalInline]
    list_before_template = "admin/withdrawals_top.html"
    change_form_outer_after_template = "admin/tables.html"
    has_timeline = True
    actions_list = ["enter"]
    actions_detail = ["withdraw", "verify", "reject"]
    has_enter_permission = own_right_to("enter")
    has_verify_permission = right_to("verify")
    has_withdraw_permission = own_right_to("withdraw")

    def has_reveal_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Also who verifies: a number that is masked cannot be compared."""
        return super().has_reveal_permission(request, obj) or self.has_verify_permission(request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """For people of merchants with what they may withdraw, and what they withdrew."""
        own = of_own(request, self.has_withdraw_permission(request))
        if not tenancy.is_merchant_user(request):
            own = {**own, "title": gettext("Bank accounts for withdrawals")}
        response = super().changelist_view(request, {**own, **(extra_context or {})})
        context = getattr(response, "context_data", None) or {}
        if own.get("ways"):  # then the main act of the page is to withdraw
            context["actions_list"] = [
                {**one, "variant": ActionVariant.DEFAULT, "title": gettext("Change the account")}
                for one in context.get("actions_list") or ()
            ]
        return response

    def get_queryset(self, request: HttpRequest) -> QuerySet[BankAccount]:
        accounts: QuerySet[BankAccount] = super().get_queryset(request)
        found = accounts.select_related("merchant", "bank", "certificate")
        return found.defer("merchant__webhook_secret", "certificate__content")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.certificate)
        route, name = "<path:object_id>/certificate/", "withdrawals_bankaccount_certificate"
        return [path(route, view, name=name), *super().get_urls()]

    def certificate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Each download is in the audit log."""
        if not certificates.may_read(request.user):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        account: BankAccount = self.get_record(request, object_id)
        if (found := certificates.of_account(account)) is None:
            raise Http404
        audit.record(
            actor=actor(request),
            action="bank_account.certificate_read",
            subject=account,
            merchant=account.merchant_id,
        )
        return kept_files.download(found)

    def possible(self, row: BankAccount) -> set[str]:
        if row.status == Status.UNVERIFIED:
            return {"verify", "reject"}
        return {"withdraw", "reject"} if row.status == Status.VERIFIED else set()

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Without the heads of a table that has no rows yet."""
        found: list[Any] = super().get_inlines(request, obj)
        return found if obj is not None and obj.withdrawals.exists() else []

    def next_step(self, row: BankAccount) -> NextStep | None:
        if row.status == Status.UNVERIFIED:
            return certificates.verifying(row)
        if row.status == Status.VERIFIED:
            why = gettext("The balance can be withdrawn to this account.")
            return NextStep(why=why, actions=("withdraw",), waiting=why)
        return None

    def head(self, row: BankAccount) -> dict[str, object]:
        facts = [
            *self.whose(row),
            (_("holder"), row.holder_name),
            *self.id_in_head(row),
            (_("created at"), time_element(row.created_at)),
        ]
        return {"amount": str(row), "state": self.state(row), "facts": facts, "is_whole": True}

    def timeline_lines(self, row: BankAccount) -> list[TimelineLine]:
        lines = timeline([row.pk])
        if not any(line.kind == "person" for line in lines):  # who reads no audit log
            what, by = action_words("bank_account.entered"), who(row.entered_by)
            entered = TimelineLine(at=row.created_at, what=what, who=by)
            lines = [entered, *lines]
        return lines

    @display(description=_("account number"))
    def number(self, account: BankAccount) -> str:
        return masking.tail(account.account_number)

    @display(description="NIT")
    def tax_id(self, account: BankAccount) -> str:
        """With its check digit. The merchant's own people see it whole."""
        is_own = tenancy.current_user_is_merchant()
        return certificates.nit(account, is_whole=is_own)

    @display(description=_("bank's certificate"))
    def certificate_shown(self, account: BankAccount) -> str | SafeString:
        return certificates.shown(account)

    @display(description=_("status"), ordering="status")
    def state(self, account: BankAccount) -> SafeString:
        return badge(account.get_status_display(), COLOURS[account.status])

    @action(
        description=ENTER.title,
        icon="add_card",
        variant=ActionVariant.PRIMARY,
        permissions=["enter"],
    )
    def enter(self, request: HttpRequest) -> HttpResponse:
        """An operator verifies what people of merchants enter."""

        def perform(form: Cleaned) -> HttpResponse:
            new = bank_accounts.NewAccount(
                merchant=form["merchant"],
                bank=form["bank"],
                account_type=form["account_type"],
                account_number=form["account_number"],
                certificate=kept_files.read(form["certificate"]),
            )
            account = bank_accounts.enter(
                new=new, actor=actor(request), reason=form["reason"], now=clock.now()
            )
            text = gettext("The account is saved. An operator verifies it.")
            return self.done(request, account, ENTER, text)

        own = tenancy.merchants(request)
        if self.has_enter_permission(request) and not _have_legal_data(own):
            return self._legal_data_first(request, own)
        confirmed = replace(ENTER, initial={"own": own})
        return self.confirm_first(request, None, confirmed, perform, **_before_entering(own))

    def _legal_data_first(self, request: HttpRequest, own: list[str]) -> HttpResponse:
        """Before the form: its fields and its file would be lost."""
        why = gettext(
            "Give the legal data of your business first: name and NIT. The bank account must be in "
            "that name. Then you register the account here."
        )
        way = None
        if request.user.has_perm("merchants.legal_merchant") and len(own) == 1:
            address = reverse("admin:merchants_merchant_set_legal_data", args=[quote(own[0])])
            way = (gettext("Give the legal data"), address)
        return self.page(request, "admin/refused.html", title=ENTER.title, why=why, way_on=way)

    @action(description=VERIFY.title, icon="verified", permissions=["verify"])
    def verify(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, VERIFY, bank_accounts.verify)

    @action(
        description=REJECT.title, icon="block", variant=ActionVariant.DANGER, permissions=["verify"]
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REJECT, bank_accounts.reject)

    def _decide(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, decide: Any
    ) -> HttpResponse:
        account = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            decide(account=account, actor=actor(request), reason=form["reason"], now=clock.now())
            return self.done(request, account, confirmed)

        is_whole = confirmed is VERIFY and self._may_compare(request, account)
        facts = certificates.compared(account, is_whole=is_whole)
        response = self.confirm_first(request, account, confirmed, perform, facts=facts)
        response.headers["Cache-Control"] = "no-store, private"
        if is_whole and shows_facts(response):
            audit.record(actor=actor(request), action="personal_data.revealed", subject=account)
        return response

    def _may_compare(self, request: HttpRequest, account: BankAccount) -> bool:
        """Whether this person may read the whole number, and it waits for the comparison."""
        return account.status == Status.UNVERIFIED and self.has_reveal_permission(request)

    @action(description=WITHDRAW.title, icon="savings", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.withdraw_checked(request, self.get_record(request, object_id))


def _have_legal_data(own: list[str]) -> bool:
    return LegalData.objects.filter(merchant__in=own).exists()


def _before_entering(own: list[str]) -> dict[str, Any]:
    """Whose account it has to be, and what happens to the one that is there."""
    found = LegalData.objects.filter(merchant__in=own)
    facts = [(gettext("Holder"), f"{data.legal_name}, NIT {data.nit_shown}") for data in found]
    is_there = BankAccount.objects.filter(
        merchant__in=own, status__in=(Status.UNVERIFIED, Status.VERIFIED)
    ).exists()
    text = gettext(
        "The account that you had is replaced at once. Withdrawals to it that were not sent yet "
        "are cancelled, and their money is in your balance again."
    )
    return {"facts": facts, "alerts": [text] if is_there else []}
