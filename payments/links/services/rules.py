"""What a link may look like. The API and the console's form check the same."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from merchants.models import Currency, Merchant
from payments.core import money
from payments.core.errors import ValidationFailed
from payments.links.models import COUNT_MAX, LABEL_LENGTH, OWN_FIELDS_MAX, PaymentLink


class OwnField(TypedDict):
    label: str
    required: bool


class LinkFields(TypedDict, total=False):
    """What a link is made of, and what may change later."""

    title: str
    description: str
    image_id: str | None
    amount: Decimal | None
    min_amount: Decimal | None
    max_amount: Decimal | None
    ask_name: str
    ask_email: str
    ask_document: str
    ask_phone: str
    own_fields: list[OwnField]
    max_uses: int | None
    stock: int | None
    expires_at: datetime | None
    callback_url: str | None


# Names of the API, for errors.
_PATHS = {
    "min_amount": "minAmount",
    "max_amount": "maxAmount",
    "own_fields": "fields",
    "max_uses": "maxUses",
    "expires_at": "expiresAt",
}


class Problem:
    """A sentence with its figures. Services raise it in English, forms show it translated."""

    def __init__(self, sentence: str, **values: object) -> None:
        self.sentence, self.values = sentence, values

    def __str__(self) -> str:
        return self.sentence % self.values if self.values else self.sentence

    def shown(self) -> str:
        sentence = gettext(self.sentence)
        return sentence % self.values if self.values else sentence


def check(link: PaymentLink, merchant: Merchant, now: datetime) -> None:
    """Raises ValidationFailed with the names of the API."""
    if problems := find_problems(link, merchant, now):
        raise ValidationFailed({_PATHS.get(name, name): str(p) for name, p in problems.items()})


def find_problems(link: PaymentLink, merchant: Merchant, now: datetime) -> Mapping[str, Problem]:
    """By the name of the field. `link` need not be stored."""
    found: dict[str, Problem] = {}
    if not link.title:
        found["title"] = Problem(_("This field is required."))
    if link.currency not in merchant.currencies:
        found["currency"] = Problem(_("This currency is not enabled for the account."))
    elif link.currency != money.FIAT and "CRYPTO" not in merchant.methods:
        found["currency"] = Problem(_("The account has no method for this currency."))
    found |= _of_amounts(link)
    found |= _of_own_fields(link.own_fields)
    if link.max_uses is not None and not 1 <= link.max_uses <= COUNT_MAX:
        found["max_uses"] = Problem(_("From 1 to %(most)s."), most=COUNT_MAX)
    if link.stock is not None and not 0 <= link.stock <= COUNT_MAX:
        found["stock"] = Problem(_("From 0 to %(most)s."), most=COUNT_MAX)
    is_new_end = link._state.adding or link.expires_at != _stored_end(link)
    if link.expires_at is not None and link.expires_at <= now and is_new_end:
        found["expires_at"] = Problem(_("Must be in the future."))
    return found


def problem_of_amount(link: PaymentLink, amount: Decimal) -> Problem | None:
    """Of an amount that a payer typed for an open amount."""
    least = link.min_amount or settings.COLLECT_MIN_AMOUNT
    most = settings.MAX_AMOUNT if link.max_amount is None else link.max_amount
    if amount < least:
        return Problem(_("The minimum is %(least)s."), least=money.shown(least, link.currency))
    if amount > most:
        return Problem(_("The maximum is %(most)s."), most=money.shown(most, link.currency))
    return _of_decimals(amount, link.currency)


def _of_amounts(link: PaymentLink) -> dict[str, Problem]:
    found: dict[str, Problem] = {}
    for name in ("amount", "min_amount", "max_amount"):
        value: Decimal | None = getattr(link, name)
        if value is not None and (problem := _of_amount(value, link.currency)):
            found[name] = problem
    if link.amount is not None and (link.min_amount is not None or link.max_amount is not None):
        found["amount"] = Problem(_("A fixed amount has no minimum and no maximum."))
    low, high = link.min_amount, link.max_amount
    if low is not None and high is not None and low > high and "max_amount" not in found:
        found["max_amount"] = Problem(_("Must not be less than the minimum."))
    return found


def _of_amount(value: Decimal, currency: str) -> Problem | None:
    least, most = settings.COLLECT_MIN_AMOUNT, settings.MAX_AMOUNT
    if value < least:
        return Problem(_("Must be at least %(least)s."), least=money.Spoken(least, currency))
    if value > most:
        return Problem(_("Must be at most %(most)s."), most=money.Spoken(most, currency))
    return _of_decimals(value, currency)


def _of_decimals(value: Decimal, currency: str) -> Problem | None:
    if currency in Currency.values and value != money.truncate(value, currency):
        return Problem(_("The currency has no such decimals."))
    return None


def _of_own_fields(fields: list[OwnField]) -> dict[str, Problem]:
    labels = [field["label"] for field in fields]
    if len(fields) > OWN_FIELDS_MAX:
        return {"own_fields": Problem(_("At most %(most)s."), most=OWN_FIELDS_MAX)}
    if any(not 1 <= len(label) <= LABEL_LENGTH for label in labels):
        return {"own_fields": Problem(_("A name has 1 to %(most)s characters."), most=LABEL_LENGTH)}
    if len({label.casefold() for label in labels}) != len(labels):
        return {"own_fields": Problem(_("Names a field twice."))}
    return {}


def _stored_end(link: PaymentLink) -> datetime | None:
    return PaymentLink.objects.values_list("expires_at", flat=True).get(pk=link.pk)
