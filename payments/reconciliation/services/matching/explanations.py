"""Sentences of the facts of a match, in the reader's language."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from payments.core import masking, money
from payments.ledger.models import Cost
from payments.reconciliation.services.matching.values import Fact

# The values of a fact stand in the sentence; amounts and days in the reader's form.
SENTENCES: Mapping[str, str] = {
    "amount": _("The amount %(amount)s is exactly what was missing."),
    "amount_short": _("%(amount)s is less than the %(missing)s that was missing."),
    "amount_above": _("%(amount)s is more than the %(missing)s that was missing."),
    "amount_differs": _("The amount is %(amount)s, and not %(wanted)s."),
    "paid_already": _("The reference was paid already: %(amount)s."),
    "early": _("The money came on %(day)s, before the order was made."),
    "document": _("The document is the same: %(document)s."),
    "document_differs": _("The document is another one than %(document)s."),
    "name": _("The name is the same: %(payer)s."),
    "name_similar": _("The name is similar: %(payer)s."),
    "name_differs": _("The name is %(given)s, and not %(payer)s."),
    "several_references": _("The movement has the references of several orders."),
    "order_completed": _("The order was paid otherwise."),
    "net": _("%(amount)s is the net amount that %(account)s announced for %(days)s."),
    "acquirer_named": _("The bank's text names the acquirer of %(account)s."),
    "payers_amount": _("A payer was asked for the same amount, %(amount)s, in these days."),
    "bank_text": _("The bank's own text for a charge: %(text)s."),
    "gmf_of_day": _("It is 4 of 1000 of the debits of %(day)s, %(base)s."),
    "gmf_of_debit": _("It is 4 of 1000 of one debit of the day, %(base)s."),
    "gmf_of_month": _("The debits of the last 35 days are %(base)s; 4 of 1000 of them is no less."),
    "gmf_too_high": _("%(amount)s is more than 4 of 1000 of all debits of the last 35 days."),
    "vat_of": _("It is 19%% of one debit of the day, %(base)s."),
    "vat_alone": _("No debit of the day has it as its 19%%."),
    "other_party": _("A charge of the bank names no other party, and this one names %(party)s."),
    "no_code": _("The bank does not show the code %(code)s of this payment."),
    "gives_back": _("It is a credit: the payment came back."),
    "assigned": _("A person named the order %(order)s."),
    "credited": _("A person credited it to %(merchant)s."),
    "person": _("%(actor)s decided: %(reason)s"),
}
_AMOUNTS = ("amount", "missing", "wanted", "base")
_DAYS = ("day", "ordered")
BOOKED: Mapping[str, str] = {
    "own_movement": _("A person booked it as a movement of the owner's own."),
    "recorded": _("A person booked it as a refund or return that is recorded already."),
    "returned": _("A person recorded that the money goes back to who sent it. Proof: %(proof)s."),
}


def sentences(facts: Iterable[Fact]) -> list[str]:
    return [sentence(one) for one in facts]


def sentence(fact: Fact) -> str:
    """A fact of a later release is shown as it is."""
    name = fact.get("fact", "")
    values = {key: _shown(key, value) for key, value in fact.items() if key != "fact"}
    if name in _WRITTEN:
        return _WRITTEN[name](values)
    if name not in SENTENCES:
        return " ".join([name, *values.values()])
    return gettext(SENTENCES[name]) % values


def _shown(key: str, value: str) -> str:
    if key == "document":
        return masking.end(value)
    try:
        if key in _AMOUNTS:
            return money.shown(Decimal(value), money.FIAT)
        if key in _DAYS:
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
    except (InvalidOperation, ValueError):
        pass
    return value


def _reference(values: Mapping[str, str]) -> str:
    if values["where"] == "reference":
        return gettext("The payer gave the reference %(reference)s.") % values
    return gettext("The bank's text has the reference %(reference)s.") % values


def _code(values: Mapping[str, str]) -> str:
    text = gettext("The bank shows the code %(code)s, of one line of a payment file.")
    return text % values


def _days(values: Mapping[str, str]) -> str:
    count = int(values["days"])
    if not count:
        return gettext("Ordered on %(ordered)s, and in the account the same day.") % values
    text = ngettext(
        "Ordered on %(ordered)s, and in the account %(days)s business day later.",
        "Ordered on %(ordered)s, and in the account %(days)s business days later.",
        count,
    )
    return text % values


def _bank_days(values: Mapping[str, str]) -> str:
    text = ngettext(
        "In the account %(days)s business day after its day.",
        "In the account %(days)s business days after its day.",
        int(values["days"]),
    )
    return text % values


def _booked_as(values: Mapping[str, str]) -> str:
    kind = values["kind"]
    if kind in BOOKED:
        return gettext(BOOKED[kind]) % {"proof": "", **values}
    label = Cost(kind).label if kind in Cost.values else kind
    return gettext("A person booked it as a cost: %(cost)s.") % {"cost": label}


_WRITTEN: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    "reference": _reference,
    "code": _code,
    "days": _days,
    "bank_days": _bank_days,
    "booked_as": _booked_as,
}
