"""Taxes on our fee: the dated rules, and the taxes of a day's fee."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.core import audit, money
from payments.core.errors import ServiceError
from payments.settlement import days
from payments.settlement.models import TaxKind, TaxRule

NOTHING = Decimal(0)


class RuleRefused(ServiceError):
    """The rule would overlap with another, or count for days that may be closed already."""

    code = "TAX_RULE_REFUSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tax:
    rule: TaxRule
    base: Decimal
    amount: Decimal


def taxes_of(*, fee: Decimal, currency: str, rules: Sequence[TaxRule]) -> list[Tax]:
    """The taxes of a fee, each rounded half up to the quantum of the currency; none of zero.

    The fee is what was charged, so the included taxes are in it: of a fee of 119 with 19% the base
    is 100. Withholdings are a part of the same base.
    """
    included = [rule for rule in rules if rule.kind == TaxKind.INCLUDED and rule.rate]
    whole = 1 + sum((rule.rate for rule in included), NOTHING)
    amounts = _shares(fee, [rule.rate / whole for rule in included], currency)
    base = fee - sum(amounts, NOTHING)
    withheld = [rule for rule in rules if rule.kind == TaxKind.WITHHELD]
    amounts += [money.quantize(base * rule.rate, currency) for rule in withheld]
    return [
        Tax(rule=rule, base=base, amount=amount)
        for rule, amount in zip([*included, *withheld], amounts, strict=True)
        if amount
    ]


def _shares(fee: Decimal, parts: Sequence[Decimal], currency: str) -> list[Decimal]:
    """Rounded as they add up, so that together they are the rounded whole and never above it."""
    shares, part, given = [], NOTHING, NOTHING
    for each in parts:
        part += each
        upto = money.quantize(fee * part, currency)
        shares.append(upto - given)
        given = upto
    return shares


def rules_of(*, merchant_id: str, day: date) -> list[TaxRule]:
    """The rules that count for the merchant on the day; its own replace the general ones.

    The case of a name does not count: "iva" replaces "IVA".
    """
    valid = TaxRule.objects.filter(Q(valid_to=None) | Q(valid_to__gte=day), valid_from__lte=day)
    found = valid.filter(Q(merchant=None) | Q(merchant=merchant_id))
    # The general ones come first and are overwritten.
    ordered = sorted(found, key=lambda rule: (rule.merchant_id is not None, rule.pk))
    by_name = {rule.name.casefold(): rule for rule in ordered}
    return sorted(by_name.values(), key=lambda rule: (rule.kind, rule.name))


@transaction.atomic
def add_rule(rule: TaxRule, *, actor: str, reason: str, now: datetime) -> TaxRule:
    """Adds the rule, from today on at the earliest, with an audit row. Raises RuleRefused."""
    if rule.valid_from < days.day_of(now):
        raise RuleRefused(_("A rule begins today at the earliest: closed days do not change."))
    _lock()
    rule.name, rule.created_at = rule.name.strip(), now
    rule.full_clean(exclude=["merchant", "valid_to"])
    _check_alone(rule)
    rule.save(force_insert=True)
    audit.record(
        actor=actor,
        action="tax_rule.added",
        subject=rule,
        reason=reason,
        rule=str(rule),
        kind=rule.kind,
        merchant=rule.merchant_id or "",
        valid_from=rule.valid_from.isoformat(),
        valid_to=rule.valid_to.isoformat() if rule.valid_to else "",
    )
    return rule


@transaction.atomic
def end_rule(*, rule: TaxRule, valid_to: date, actor: str, reason: str, now: datetime) -> TaxRule:
    """Sets the last day of the rule, today at the earliest. Raises RuleRefused."""
    _lock()
    rule = TaxRule.objects.get(pk=rule.pk)
    if rule.valid_to is not None and rule.valid_to < days.day_of(now):
        raise RuleRefused(_("The rule has ended already."))
    if valid_to < max(days.day_of(now), rule.valid_from):
        raise RuleRefused(_("Its last day is today at the earliest: closed days do not change."))
    before, rule.valid_to = rule.valid_to, valid_to
    _check_alone(rule)
    rule.save(update_fields=["valid_to"])
    audit.record(
        actor=actor,
        action="tax_rule.ended",
        subject=rule,
        reason=reason,
        old=before.isoformat() if before else "",
        new=valid_to.isoformat(),
    )
    return rule


def _lock() -> None:
    """Rules are few and rarely set: one operator at a time, so that no two overlap."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE settlement_taxrule IN SHARE ROW EXCLUSIVE MODE")


def _check_alone(rule: TaxRule) -> None:
    """No other rule of the name and the merchant (or of all) counts on one of its days."""
    if rule.valid_to is not None and rule.valid_to < rule.valid_from:
        raise RuleRefused(_("Its last day is before its first."))
    others = TaxRule.objects.filter(merchant=rule.merchant).exclude(pk=rule.pk)
    others = others.filter(Q(valid_to=None) | Q(valid_to__gte=rule.valid_from))
    if rule.valid_to is not None:
        others = others.filter(valid_from__lte=rule.valid_to)
    name = rule.name.casefold()
    if any(other.casefold() == name for other in others.values_list("name", flat=True)):
        raise RuleRefused(_("Another rule of this name counts on the same days: end it first."))
