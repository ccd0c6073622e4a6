"""The timeline of an account, and what is missing before it can collect."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.admin.keys import last_call
from merchants.legal.models import LegalData
from merchants.models import Currency, Membership, Merchant, Method, Permission
from merchants.team.models import Invitation
from payments.console import cockpit, tenancy
from payments.console.detail_page import NextStep
from payments.console.registry import FirstStep
from payments.console.timeline import (
    ROWS_MAX,
    TimelineLine,
    action_words,
    add_actions,
    timeline,
    who,
)
from payments.core.models import AuditEntry

add_actions(
    {
        "merchant.created": _("Created the account"),
        "merchant.changed": _("Changed the account"),
        "merchant.activated": _("Activated the account"),
        "merchant.deactivated": _("Deactivated the account"),
        "api_key.issued": _("Issued an API key"),
        "api_key.revoked": _("Revoked an API key"),
        "api_key.renamed": _("Renamed an API key"),
        "member.added": _("Added a person"),
        "member.removed": _("Removed a person"),
        "member.roles_changed": _("Changed the roles of a person"),
        "webhook_secret.regenerated": _("Regenerated the webhook secret"),
    }
)


def timeline_lines(merchant: Merchant) -> list[TimelineLine]:
    made = TimelineLine(
        at=merchant.created_at, what=gettext("The account was opened"), who=merchant.name
    )
    keys = merchant.api_keys.values_list("pk", flat=True)
    return timeline([merchant.pk, *keys], [made, *_acts_for_merchants(merchant)])


def _acts_for_merchants(merchant: Merchant) -> Iterator[TimelineLine]:
    """Who changed what, without values and reasons. Operators see the rows of the audit log."""
    if not tenancy.current_user_is_merchant():
        return
    found = AuditEntry.objects.filter(subject_id=merchant.pk, action__in=_told())
    for row in found.order_by("-id")[:ROWS_MAX]:
        if (words := action_words(row.action)) is not None:
            changed = row.details.get("new") if isinstance(row.details, dict) else None
            yield TimelineLine(
                at=row.at,
                what=words,
                who=who(row.actor),
                detail=_changed(changed) if isinstance(changed, dict) else "",
                kind="person",
            )


def _told() -> list[str]:
    """The acts that this person has a page for, too."""
    reader = tenancy.current_user()
    rights = {
        "merchants.view_merchant": [
            *("merchant.changed", "merchant.activated", "merchant.deactivated"),
            "merchant.legal_data",
        ],
        "merchants.view_membership": ["member.added", "member.removed", "member.roles_changed"],
        "merchants.webhook_merchant": ["webhook_secret.regenerated"],
    }
    return [act for right, acts in rights.items() if reader.has_perm(right) for act in acts]


@cache
def _settings() -> dict[str, Any]:
    """{name of a column, as the audit log has it: the column}"""
    fields = {
        one.name: one for model in (LegalData, Merchant) for one in model._meta.concrete_fields
    }
    return fields | {one.attname: one for one in Merchant._meta.concrete_fields}


def _changed(names: Iterable[str]) -> str:
    """The settings by their names on the page."""
    fields = _settings()
    return ", ".join(capfirst(str(fields[name].verbose_name)) for name in names if name in fields)


def of_merchant(merchant: Merchant, first_steps: Sequence[FirstStep] = ()) -> NextStep:
    """Problems that prevent a sale come first. Then, for people of the merchant, the first of the
    steps that their first page has; then a key and a webhook URL, if they began with either.
    """
    missing = blockers(merchant)
    if step := next((each for each in first_steps if not each.is_done), None):
        missing.append(NextStep(why=step.why, link=(step.label, step.link)))
    elif not _sells_by_links(merchant):
        missing += [*_keys(merchant), *_news(merchant)]
    elif not missing:
        why = gettext("The account sells by payment links. A shop's own system needs an API key.")
        return NextStep(why=why)
    if not tenancy.current_user_is_merchant():
        missing += _account(merchant)
    if not missing:
        return NextStep(why=gettext("The account has a key and a webhook URL, and takes payments."))
    return replace(missing[0], further=tuple(missing[1:]))


def add_steps(context: dict[str, Any], panels: list[cockpit.Panel]) -> None:
    """With what the panels miss. Beside an alarm, the page never says that all is done."""
    step = context.get("record_step")
    if not tenancy.current_user_is_merchant():
        step = cockpit.with_steps(step, panels)
    is_quiet = step is not None and not step["is_needed"]
    context["record_step"] = None if is_quiet and context["record_alarms"] else step


def blockers(merchant: Merchant) -> list[NextStep]:
    """What stops a sale, also one by a payment link."""
    return [*_stopped(merchant), *_collecting(merchant)]


def _sells_by_links(merchant: Merchant) -> bool:
    """People of a merchant without key and URL need none: they sell by payment links."""
    if not tenancy.current_user_is_merchant() or merchant.takes_events:
        return False
    return not merchant.api_keys.filter(revoked_at=None).exists()


def _stopped(merchant: Merchant) -> Iterator[NextStep]:
    if not merchant.is_active:
        why = gettext("The account is closed to the API: every request gets 401.")
        yield NextStep(why=why, actions=("activate",))


def _collecting(merchant: Merchant) -> Iterator[NextStep]:
    """Problems that make POST /collect refuse an order, and currencies without a method."""
    currencies, methods = set(merchant.currencies), set(merchant.methods)
    to_currencies = (gettext("Choose currencies"), "#id_currencies")
    to_methods = (gettext("Choose payment methods"), "#id_methods")
    if not currencies and not methods:
        why = gettext("The account collects nothing: no currency and no payment method is enabled.")
        yield NextStep(why=why, link=to_currencies)
        return
    if not currencies:
        why = gettext("The account has no currency, so every order is refused (400).")
        yield NextStep(why=why, link=to_currencies)
    if not methods:
        why = gettext("The account has no payment method, so every order is refused (400).")
        yield NextStep(why=why, link=to_methods)
    coins = [code for code in merchant.currencies if code != Currency.COP]
    if coins and methods and Method.CRYPTO not in methods:
        why = gettext("Orders in %(list)s are refused (400): Crypto is not enabled.")
        yield NextStep(why=why % {"list": ", ".join(coins)}, link=to_methods)
    if not merchant.direct_api_enabled or not currencies or not methods:
        return
    if Currency.COP not in currencies:
        why = gettext("Direct API is enabled, but it has no method without Colombian pesos.")
        yield NextStep(why=why, link=to_currencies)
    elif not methods & {Method.PSE, Method.BANK_TRANSFER}:
        why = gettext("Direct API is enabled, but it has no method without PSE or bank transfer.")
        yield NextStep(why=why, link=to_methods)


def _keys(merchant: Merchant) -> Iterator[NextStep]:
    held = list(merchant.api_keys.filter(revoked_at=None).values_list("permissions", flat=True))
    if not held:
        why = gettext("The account has no key, so it cannot call the API yet.")
        if merchant.api_keys.exists():
            why = gettext("The last key was revoked, so the account cannot call the API any more.")
        yield NextStep(why=why, actions=("issue_key", "new_key"))
    elif merchant.payout_enabled and not any(Permission.PAYOUT_CREATE in each for each in held):
        why = gettext("Payouts are enabled, but no key may create them (403).")
        if tenancy.current_user_is_merchant():
            # Who pays by hand needs no key: it matters only where a system of theirs calls us.
            calls = merchant.api_keys.filter(revoked_at=None).annotate(called=last_call())
            if not calls.exclude(called=None).exists():
                return
            why = gettext(
                "Your keys cannot make payouts. If your own system is to pay, ask for a key that "
                "may. By hand you pay without a key."
            )
        yield NextStep(why=why, actions=("issue_key", "new_key"))


def _account(merchant: Merchant) -> Iterator[NextStep]:
    """What has not been given yet, and which no request of the API needs."""
    if not LegalData.objects.filter(merchant=merchant).exists():
        why = gettext("The account has no legal data: payers see no legal name and no NIT.")
        yield NextStep(why=why, actions=("set_legal_data",))
    has_people = Membership.objects.filter(merchant=merchant).exists()
    if not has_people and not Invitation.objects.filter(merchant=merchant).exists():
        why = gettext("No person of the merchant can log in to the console.")
        yield NextStep(why=why, actions=("invite_person",))


def _news(merchant: Merchant) -> Iterator[NextStep]:
    if not merchant.takes_events:
        why = gettext("The account has no webhook URL: its events wait until it has one.")
        yield NextStep(why=why, actions=("set_webhook",))
