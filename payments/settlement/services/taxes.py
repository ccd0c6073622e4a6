"""Taxes on our fee: the dated rules, and the taxes of a day's fee."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.core import audit, money
from payments.core.errors import ServiceError
from payments.settlement import days
from payments.settlement.models import SettlementLine, TaxKind, TaxRule

NOTHING = Decimal(0)


class RuleRefused(ServiceError):
    """The rule would overlap with another, or count for days that may be closed already."""

    code = "TAX_RULE_REFUSED"


def taxes_of(*, fee: Decimal, currency: str, rules: Sequence[TaxRule]) -> list[SettlementLine]:
    """Unsaved lines of the taxes of a fee, rounded half up to the quantum of the currency.

    A tax of zero has no line. The fee was charged with the included taxes in it: of a fee of 119
    with 19% the base is 100. Withholdings are a part of the same base.
    """
    included = [rule for rule in rules if rule.kind == TaxKind.INCLUDED and rule.rate]
    whole = 1 + sum((rule.rate for rule in included), NOTHING)
    amounts = _shares(fee, [rule.rate / whole for rule in included], currency)
    base = fee - sum(amounts, NOTHING)
    withheld = [rule for rule in rules if rule.kind == TaxKind.WITHHELD]
    amounts += [money.quantize(base * rule.rate, currency) for rule in withheld]
    return [
        SettlementLine(
            rule=rule, name=rule.name, kind=rule.kind, rate=rule.rate, base=base, amount=amount
        )
        for rule, amount in zip([*included, *withheld], amounts, strict=True)
        if amount
    ]


def _shares(fee: Decimal, parts: Sequence[Decimal], currency: str) -> list[Decimal]:
    """Each share is the difference of two rounded sums, so that the shares add up to the rounded
    whole."""
    shares, part, given = [], NOTHING, NOTHING
    for each in parts:
        part += each
        upto = money.quantize(fee * part, currency)
        shares.append(upto - given)
        given = upto
    return shares


def rules_of(*, merchant_id: str, day: date) -> list[TaxRule]:
    """The rules that apply to the merchant on the day. Its own rule replaces the general one with
    the same name, in upper or lower case.
    """
    valid = TaxRule.objects.filter(Q(valid_to=None) | Q(valid_to__gte=day), valid_from__lte=day)
    found = valid.filter(Q(merchant=None) | Q(merchant=merchant_id))
    # The merchant's own rules come last and overwrite the general ones.
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
    facts = {
        "rule": str(rule),
        "kind": rule.kind,
        "merchant": rule.merchant_id or "",
        "valid_from": rule.valid_from.isoformat(),
        "valid_to": rule.valid_to.isoformat() if rule.valid_to else "",
    }
    audit.record(actor=actor, action="tax_rule.added", subject=rule, reason=reason, **facts)
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
    change = {"old": before.isoformat() if before else "", "new": valid_to.isoformat()}
    audit.record(actor=actor, action="tax_rule.ended", subject=rule, reason=reason, **change)
    return rule


def _lock() -> None:
    """Lets one operator at a time change rules, so that no two overlap."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE settlement_taxrule IN SHARE ROW EXCLUSIVE MODE")


def _check_alone(rule: TaxRule) -> None:
    """Raises RuleRefused where another rule of this name and merchant (or all) shares a day."""
    if rule.valid_to is not None and rule.valid_to < rule.valid_from:
        raise RuleRefused(_("Its last day is before its first."))
    others = TaxRule.objects.filter(merchant=rule.merchant).exclude(pk=rule.pk)
    others = others.filter(Q(valid_to=None) | Q(valid_to__gte=rule.valid_from))
    if rule.valid_to is not None:
        others = others.filter(valid_from__lte=rule.valid_to)
    name = rule.name.casefold()
    if any(other.casefold() == name for other in others.values_list("name", flat=True)):
        raise RuleRefused(_("Another rule of this name counts on the same days: end it first."))
