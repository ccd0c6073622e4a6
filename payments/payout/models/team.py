"""Approval inside a merchant's team: the merchant's rules, and what waits for its people."""

from functools import partial
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id

MOST_PEOPLE = 2


class PolicyStatus(models.TextChoices):
    """ENDED: replaced by a later one."""

    PROPOSED = "PROPOSED", _("Proposed")
    ACTIVE = "ACTIVE", _("In force")
    REFUSED = "REFUSED", _("Refused")
    ENDED = "ENDED", _("Replaced")


POLICY_MOVES: states.Moves = {
    PolicyStatus.PROPOSED: frozenset({PolicyStatus.ACTIVE, PolicyStatus.REFUSED}),
    PolicyStatus.ACTIVE: frozenset({PolicyStatus.ENDED}),
}


class TeamApprovalStatus(models.TextChoices):
    WAITING = "WAITING", _("Waiting")
    APPROVED = "APPROVED", _("Approved")
    REJECTED = "REJECTED", _("Rejected")
    WITHDRAWN = "WITHDRAWN", _("Withdrawn")


TEAM_MOVES: states.Moves = {
    TeamApprovalStatus.WAITING: frozenset(
        {
            TeamApprovalStatus.APPROVED,
            TeamApprovalStatus.REJECTED,
            TeamApprovalStatus.WITHDRAWN,
        }
    )
}


class ApprovalPolicy(models.Model):
    """All rules of a merchant for requests of its people. It replaces the earlier one as a whole.

    One person proposes it, another one confirms it. Without an active policy one person of the
    team approves each request.
    """

    Status = PolicyStatus
    MOVES: ClassVar[states.Moves] = POLICY_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "apr"), editable=False)
    merchant = models.ForeignKey(
        Merchant, models.PROTECT, db_index=False, related_name="+", verbose_name=_("merchant")
    )
    status = models.CharField(
        _("status"), max_length=10, choices=PolicyStatus.choices, default=PolicyStatus.PROPOSED
    )
    proposed_by = models.CharField(_("proposed by"), max_length=150)
    reason = models.CharField(_("reason"), max_length=500)
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    created_at = models.DateTimeField(_("proposed at"))

    class Meta:
        verbose_name = _("approval rule")
        verbose_name_plural = _("approval rules")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant"], condition=Q(status="ACTIVE"), name="approval_policy_active"
            ),
            models.UniqueConstraint(
                fields=["merchant"], condition=Q(status="PROPOSED"), name="approval_policy_proposed"
            ),
        ]
        indexes = [models.Index(fields=["merchant", "-id"], name="approval_policy_newest")]
        triggers = [
            states.guard(POLICY_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class ApprovalTier(models.Model):
    """Above this amount so many people approve. Of several, the highest below the amount counts."""

    id = models.BigAutoField(primary_key=True)
    policy = models.ForeignKey(ApprovalPolicy, models.PROTECT, related_name="tiers")
    above = MoneyField(_("above"))
    # 0: the person who asks needs no colleague.
    people = models.PositiveSmallIntegerField(_("approvals"), default=1)
    # A user name: only this person. Empty: every approver.
    person = models.CharField(_("only this person"), max_length=150, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["policy", "above"], name="approval_tier_once"),
            models.CheckConstraint(
                condition=Q(above__gte=0, people__gte=0, people__lte=MOST_PEOPLE),
                name="approval_tier_figures",
            ),
            models.CheckConstraint(
                condition=Q(person="") | Q(people=1), name="approval_tier_of_one_person"
            ),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.policy_id} > {self.above}"


class TeamApproval(models.Model):
    """A request of a merchant's person that waits for colleagues, with the rule of that moment.

    `subject_id` is the id of a payout or of a batch. Its app ends what was approved or refused.
    """

    Status = TeamApprovalStatus
    MOVES: ClassVar[states.Moves] = TEAM_MOVES

    subject_id = IdField(primary_key=True, editable=False)
    merchant = models.ForeignKey(
        Merchant, models.PROTECT, db_index=False, related_name="+", verbose_name=_("merchant")
    )
    amount = MoneyField(_("amount"))
    requested_by = models.CharField(_("requested by"), max_length=150)
    people = models.PositiveSmallIntegerField(_("approvals"))
    person = models.CharField(_("only this person"), max_length=150, blank=True)
    rule_set_by = models.CharField(max_length=150, blank=True)
    status = models.CharField(
        _("status"),
        max_length=10,
        choices=TeamApprovalStatus.choices,
        default=TeamApprovalStatus.WAITING,
    )
    created_at = models.DateTimeField(_("requested at"))
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        verbose_name = _("approval of the team")
        verbose_name_plural = _("approvals of the team")
        constraints = [
            models.CheckConstraint(
                condition=Q(people__gte=1, people__lte=MOST_PEOPLE), name="team_approval_people"
            )
        ]
        indexes = [
            models.Index(
                fields=["merchant", "created_at"],
                condition=Q(status="WAITING"),
                name="team_approval_waiting",
            )
        ]
        triggers = [
            states.guard(TEAM_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class TeamDecision(models.Model):
    """One person's approval, refusal or withdrawal."""

    class Kind(models.TextChoices):
        APPROVED = "APPROVED", _("Approved")
        REJECTED = "REJECTED", _("Rejected")
        WITHDRAWN = "WITHDRAWN", _("Withdrawn")

    id = models.BigAutoField(primary_key=True)
    approval = models.ForeignKey(TeamApproval, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    person = models.CharField(max_length=150)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["approval", "person"], name="team_decision_once")
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.kind} {self.person}"
