"""The console's page of a check: `rail_check` in the operator's words."""

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext
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
    rows = [[_subject(account, one.subject), _finding(one.finding), one.text] for one in lines]
    headers = [_("what"), _("result"), _("what the provider answered")]
    return table(account.slug, headers, rows)


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
