"""The rules of a merchant's team: how many colleagues approve a request of which amount.

A change lets money out more easily or less, so another person confirms each: an approver of the
team, or an operator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit, states
from payments.core.errors import NotAllowed, ServiceError
from payments.payout.models import ApprovalPolicy, ApprovalTier
from payments.payout.models.team import MOST_PEOPLE
from payments.payout.services import team

Status = ApprovalPolicy.Status
MOST_TIERS = 5


class WrongRule(ServiceError):
    code = "WRONG_RULE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Above `above` pesos `people` colleagues approve. `person`: only the one with this name."""

    above: Decimal = Decimal(0)
    people: int = 1
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The tier of an amount, and the person who made the rules. Empty: they are the default."""

    tier: Tier
    set_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPolicy:
    """No tiers: the default again."""

    merchant: Merchant
    tiers: Sequence[Tier]
    reason: str


def needs_operator(merchant: Merchant, amount: Decimal) -> bool:
    """By the operators' rule for the account."""
    above = merchant.payout_approval_above
    return above is not None and amount > above


def active(merchant: Merchant) -> ApprovalPolicy | None:
    return ApprovalPolicy.objects.filter(merchant=merchant, status=Status.ACTIVE).first()


def rule_for(*, merchant: Merchant, amount: Decimal) -> Rule:
    """An amount below all tiers has the default: one colleague approves."""
    policy = active(merchant)
    if policy is None:
        return Rule(tier=Tier())
    found = policy.tiers.filter(above__lt=amount).order_by("-above").first()
    if found is None:
        return Rule(tier=Tier(), set_by=policy.proposed_by)
    tier = Tier(above=found.above, people=found.people, person=found.person)
    return Rule(tier=tier, set_by=policy.proposed_by)


def propose(*, new: NewPolicy, user: User, now: datetime) -> ApprovalPolicy:
    """Waits until another person confirms it. Raises WrongRule, NotAllowed."""
    _check(new)
    policy = ApprovalPolicy(
        merchant=new.merchant,
        proposed_by=user.get_username(),
        reason=new.reason[:500],
        created_at=now,
    )
    try:
        with transaction.atomic():
            policy.save(force_insert=True)
            ApprovalTier.objects.bulk_create(
                ApprovalTier(policy=policy, above=one.above, people=one.people, person=one.person)
                for one in new.tiers
            )
            _audit(policy, user, "proposed", new.reason)
    except IntegrityError as error:
        raise NotAllowed(_("Other rules wait for a confirmation already.")) from error
    return policy


@transaction.atomic
def confirm(*, policy: ApprovalPolicy, user: User, reason: str, now: datetime) -> None:
    """From now on the rules are in force, for requests that are made later. Raises NotAllowed."""
    locked = _proposed(policy)
    team.check_second(user=user, asked_by=locked.proposed_by)
    actor = user.get_username()
    for old in ApprovalPolicy.objects.filter(merchant=locked.merchant_id, status=Status.ACTIVE):
        states.move(old, Status.ENDED, now=now, actor=actor)
    decided = {"decided_by": actor, "decided_at": now}
    states.move(locked, Status.ACTIVE, now=now, actor=actor, reason=reason, **decided)
    _audit(locked, user, "confirmed", reason)


def may_confirm(policy: ApprovalPolicy) -> list[User]:
    """The people of the merchant whom `confirm` does not refuse, and whose role lets them."""
    able = team.with_permission(policy.merchant_id, "confirm_approvalpolicy")
    return [user for user in able if team.is_second(user, policy.proposed_by)]


@transaction.atomic
def refuse(*, policy: ApprovalPolicy, user: User, reason: str, now: datetime) -> None:
    """Also by the person who proposed them. Raises NotAllowed."""
    locked = _proposed(policy)
    actor = user.get_username()
    decided = {"decided_by": actor, "decided_at": now}
    states.move(locked, Status.REFUSED, now=now, actor=actor, reason=reason, **decided)
    _audit(locked, user, "refused", reason)


def _proposed(policy: ApprovalPolicy) -> ApprovalPolicy:
    # The merchant's rows are locked together, so that one policy is active at most.
    rows = ApprovalPolicy.objects.filter(
        merchant=policy.merchant_id, status__in=(Status.PROPOSED, Status.ACTIVE)
    )
    locked = {row.pk: row for row in rows.select_for_update(no_key=True).order_by("pk")}
    found = locked.get(policy.pk)
    if found is None or found.status != Status.PROPOSED:
        raise NotAllowed(_("These rules do not wait for a confirmation."))
    return found


def _check(new: NewPolicy) -> None:
    if len(new.tiers) > MOST_TIERS:
        raise WrongRule(_("At most %(most)s rules."), values={"most": MOST_TIERS})
    if len({one.above for one in new.tiers}) < len(new.tiers):
        raise WrongRule(_("Two rules begin at the same amount."))
    names = set(team.with_right(new.merchant.pk).values_list("username", flat=True))
    for one in new.tiers:
        if one.above < 0 or not 0 <= one.people <= MOST_PEOPLE:
            raise WrongRule(_("An amount is not below zero, and at most two people approve."))
        if one.person and (one.person not in names or one.people != 1):
            raise WrongRule(_("The named person has to be an approver, and approves alone."))


def _audit(policy: ApprovalPolicy, user: User, verb: str, reason: str) -> None:
    audit.record(
        actor=user.get_username(),
        action=f"approval_policy.{verb}",
        subject=policy,
        reason=reason,
        merchant=policy.merchant_id,
        tiers=[[one.above, one.people, one.person] for one in policy.tiers.order_by("above")],
    )
