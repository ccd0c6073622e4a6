"""The console's page of a check: `rail_check` in the operator's words."""

from collections import Counter
from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, table
from payments.providers.account import CheckLine, Finding
from payments.rails.models import ProviderAccount, product_choices
from payments.rails.services.accounts import get_rail_type
from payments.rails.services.checks import REQUESTED

FINDINGS = {
    Finding.OK: ("success", _("works")),
    Finding.FAILED: ("danger", _("failed")),
    Finding.UNCHECKED: ("info", _("not checked")),
}
SUBJECTS = {
    "clock": _("Clock"),
    "statements": _("Statements"),
    "file": _("File for the bank"),
    "methods": _("Methods"),
    "banks": _("Banks"),
    "callback_url": _("Address for callbacks"),
    "address": _("Address to compare with your wallet"),
    "node": _("Node"),
    "chain": _("Chain"),
    "blocks": _("Blocks"),
    "transactions": _("Transactions"),
    "syncing": _("Synchronisation"),
    "tip": _("Newest block"),
}


def check_table(account: ProviderAccount, lines: Sequence[CheckLine]) -> dict[str, object]:
    """What failed comes first."""
    ordered = sorted(lines, key=lambda one: one.finding != Finding.FAILED)
    rows = [
        [_subject(account, one.subject), _finding(one.finding), _sentence(one.text)]
        for one in ordered
    ]
    headers = [_("what"), _("result"), _("what the provider answered")]
    return table(str(account), headers, rows)


def _sentence(text: str) -> str:
    """An address keeps its small letters."""
    return text if text.startswith("http") else capfirst(text)


def verdict(lines: Sequence[CheckLine]) -> dict[str, object]:
    """One sentence above the table, and its colour."""
    counts = Counter(one.finding for one in lines)
    failed, unchecked = counts[Finding.FAILED], counts[Finding.UNCHECKED]
    works = ngettext("%d works", "%d work", counts[Finding.OK]) % counts[Finding.OK]
    parts = [works]
    if failed:
        parts.insert(0, ngettext("%d failed", "%d failed", failed) % failed)
    if unchecked:
        parts.append(
            ngettext("%d could not be checked", "%d could not be checked", unchecked) % unchecked
        )
    if failed:
        advice = gettext("Mend what failed before payments go over this account.")
    elif unchecked:
        advice = gettext("What could not be checked shows with the first payment.")
    else:
        advice = gettext("Payments can go over this account.")
    return {"status": "red" if failed else "green", "counts": ", ".join(parts), "advice": advice}


def _finding(finding: Finding) -> SafeString:
    kind, text = FINDINGS[finding]
    return badge(str(text), kind)


def _subject(account: ProviderAccount, subject: str) -> str:
    """Subjects are names of credentials, of SUBJECTS, or an adapter's own."""
    name, _space, product = subject.removeprefix(REQUESTED).partition(" ")
    credentials = get_rail_type(account.provider).credentials
    labels = SUBJECTS | {one.name: one.label for one in credentials}
    text = str(labels.get(name, name))
    if product:
        text = f"{text}: {dict(product_choices()).get(product, product)}"
    if subject.startswith(REQUESTED):
        return gettext("%s (new, waits for approval)") % text
    return text
