"""The rules of approval, among the settings that a merchant's people read about their account."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.console.account_settings import PAYOUTS, Setting
from payments.console.cockpit import Subject
from payments.payout.admin.approval_policies import rules_shown
from payments.payout.models import ApprovalPolicy


def settings(subject: Subject) -> Iterator[Setting]:
    if not subject.may("payout.view_approvalpolicy"):
        return
    in_force = ApprovalPolicy.objects.filter(
        merchant=subject.merchant_id, status=ApprovalPolicy.Status.ACTIVE
    ).first()
    may_change = subject.may("payout.propose_approvalpolicy")
    yield Setting(
        part=PAYOUTS,
        label=_("Approval rules of your team"),
        value=rules_shown(in_force) if in_force else _("One approver for each payout"),
        change=reverse("admin:payout_approvalpolicy_changelist"),
        act="" if may_change else _("See the rules"),
    )
