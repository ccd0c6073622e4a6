"""Requests of a merchant's people that wait for colleagues: payouts made by hand, whole batches.

The app of the request holds the money back and sends it. This module only keeps who approved.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import states
from payments.core.errors import NotAllowed
from payments.payout.models import TeamApproval, TeamDecision
from payments.payout.services import approval_rules, team

Status = TeamApproval.Status
Kind = TeamDecision.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Who has to approve a request of a merchant's person.

    people       so many approvers of the team, beside the person who asks. 0: none.
    person       a user name: only this approver. Empty: any.
    operator     an operator, too: by the operators' rule for the account, or with `is_short`.
    is_short     the team has not enough people who may approve.
    rule_set_by  made the team's rules, and does not approve under them.
    able         the names of those who may, for people to read.
    """

    people: int
    person: str = ""
    operator: bool = False
    is_short: bool = False
    rule_set_by: str = ""
    able: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: the payout or batch, and its whole amount in pesos."""

    subject_id: str
    merchant: Merchant
    amount: Decimal
    requested_by: str


def needed(
    *, merchant: Merchant, amount: Decimal, requested_by: str, prepared_by: str = ""
) -> Need:
    """By the rules of this moment. `amount` is the whole of what is asked for, in pesos.

    `prepared_by` is another first person, who does not approve either.
    """
    rule = approval_rules.rule_for(merchant=merchant, amount=amount)
    able = (
        []
        if not rule.tier.people
        else team.approvers(merchant_id=merchant.pk, asked_by=requested_by, rule_set_by=rule.set_by)
    )
    if rule.tier.person:
        able = [user for user in able if user.get_username() == rule.tier.person]
    able = _without(able, prepared_by)
    people = min(rule.tier.people, team.count_people(able))
    is_short = people < rule.tier.people
    return Need(
        people=people,
        person=rule.tier.person if people else "",
        operator=is_short or approval_rules.needs_operator(merchant, amount),
        is_short=is_short,
        rule_set_by=rule.set_by,
        able=tuple(user.get_full_name() or user.get_username() for user in able),
    )


def begin(*, asked: Asked, need: Need, now: datetime) -> TeamApproval | None:
    """Call it in the transaction that creates the request. None if no colleague has to approve."""
    if not need.people:
        return None
    return TeamApproval.objects.create(
        subject_id=asked.subject_id,
        merchant=asked.merchant,
        amount=asked.amount,
        requested_by=asked.requested_by,
        people=need.people,
        person=need.person,
        rule_set_by=need.rule_set_by,
        created_at=now,
    )


def check(*, approval: TeamApproval, user: User) -> None:
    """Raises NotAllowed unless this person may approve it now."""
    _check_waiting(approval)
    team.check(
        user=user,
        merchant_id=approval.merchant_id,
        asked_by=approval.requested_by,
        rule_set_by=approval.rule_set_by,
    )
    name = user.get_username()
    if approval.person and approval.person != name:
        raise NotAllowed(
            _("By the rules of the merchant only %(person)s approves this."),
            values={"person": approval.person},
        )
    if name in team.same_person([user], _decided(approval)):
        raise NotAllowed(_("You have approved it already: another person has to, too."))


def may_approve(approval: TeamApproval, user: User) -> bool:
    try:
        check(approval=approval, user=user)
    except NotAllowed:
        return False
    return True


@transaction.atomic
def approve(*, subject_id: str, user: User, reason: str, now: datetime) -> bool:
    """Whether no other approval is missing. Lock the request before. Raises NotAllowed."""
    approval = lock(subject_id)
    check(approval=approval, user=user)
    _decide(approval, Kind.APPROVED, user, reason, now)
    if approval.decisions.filter(kind=Kind.APPROVED).count() < approval.people:
        return False
    _end(approval, Status.APPROVED, user.get_username(), now)
    return True


@transaction.atomic
def reject(*, subject_id: str, user: User, reason: str, now: datetime) -> None:
    """By any approver of the team, also under a rule of their own. Raises NotAllowed."""
    approval = lock(subject_id)
    _check_waiting(approval)
    if not team.with_right(approval.merchant_id).filter(pk=user.pk).exists():
        raise NotAllowed(_("Only an approver of this merchant may decide about it."))
    if approval.decisions.filter(person=user.get_username()).exists():
        raise NotAllowed(_("You have approved it already: another person has to, too."))
    _decide(approval, Kind.REJECTED, user, reason, now)
    _end(approval, Status.REJECTED, user.get_username(), now)


@transaction.atomic
def withdraw(*, subject_id: str, user: User, reason: str, now: datetime) -> None:
    """By the person who asked. Raises NotAllowed."""
    approval = lock(subject_id)
    _check_waiting(approval)
    if user.get_username() != approval.requested_by:
        raise NotAllowed(_("Only the person who asked for it may withdraw it."))
    _decide(approval, Kind.WITHDRAWN, user, reason, now)
    _end(approval, Status.WITHDRAWN, user.get_username(), now)


@transaction.atomic
def end_by_operator(*, subject_id: str, status: str, actor: str, now: datetime) -> None:
    """The operators' decision counts for the team's: a rejection, or an approval of a request that
    is stuck. Does nothing if the team does not decide about it now.
    """
    approval = TeamApproval.objects.select_for_update().filter(pk=subject_id).first()
    if approval is not None and approval.status == Status.WAITING:
        _end(approval, status, actor, now)


def is_stuck(approval: TeamApproval, prepared_by: str = "") -> bool:
    """Whether too few people are left who may approve, so that an operator does."""
    able = team.approvers(
        merchant_id=approval.merchant_id,
        asked_by=approval.requested_by,
        rule_set_by=approval.rule_set_by,
    )
    able = _without(able, prepared_by)
    done = _decided(approval)
    used = team.same_person(able, done)
    left = [user for user in able if user.get_username() not in used]
    if approval.person:
        left = [user for user in left if user.get_username() == approval.person]
    return len(done) + team.count_people(left) < approval.people


def find(subject_id: str) -> TeamApproval | None:
    return TeamApproval.objects.filter(pk=subject_id).first()


def lock(subject_id: str) -> TeamApproval:
    """Raises NotAllowed if the team never had to approve it."""
    found = TeamApproval.objects.select_for_update(of=("self",)).filter(pk=subject_id).first()
    if found is None:
        raise NotAllowed(_("It does not wait for an approval of the team."))
    return found


def _check_waiting(approval: TeamApproval) -> None:
    if approval.status != Status.WAITING:
        raise NotAllowed(_("It does not wait for an approval of the team."))


def _without(users: list[User], prepared_by: str) -> list[User]:
    return [user for user in users if not prepared_by or team.is_second(user, prepared_by)]


def _decided(approval: TeamApproval) -> set[str]:
    """Who has approved it so far."""
    rows = approval.decisions.filter(kind=Kind.APPROVED)
    return set(rows.values_list("person", flat=True))


def _decide(approval: TeamApproval, kind: str, user: User, reason: str, now: datetime) -> None:
    TeamDecision.objects.create(
        approval=approval, kind=kind, person=user.get_username(), reason=reason[:500], at=now
    )


def _end(approval: TeamApproval, status: str, actor: str, now: datetime) -> None:
    states.move(approval, status, now=now, actor=actor, decided_at=now)
