"""What a movement of the bank was matched with and why, or what a person does next."""

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.detail_page import NextStep
from payments.reconciliation.admin.decisions import DECIDING, explanation_of, subject_of
from payments.reconciliation.models import LineStatus, StatementLine

CANDIDATES = _(
    "It may be one of the candidates below. Compare what agrees and what differs; then accept one, "
    "or say what the movement is."
)
CAME_IN = _(
    "Nothing of ours fits this money. Find out who sent it; then assign it to an order, credit it "
    "to a merchant, or record that it goes back."
)
WENT_OUT = _(
    "Nothing of ours fits this debit. Assign it to a line of a payment file, or book what it was."
)


def next_step(line: StatementLine) -> NextStep:
    if line.status == LineStatus.NEW:
        return NextStep(why=gettext("It has not been compared yet; that happens by itself."))
    if line.status in (LineStatus.MATCHED, LineStatus.BOOKED):
        return NextStep(why=_why(line))
    # With candidates the main act is to accept one of them.
    is_quiet = line.status == LineStatus.AMBIGUOUS
    return NextStep(why=_question(line), actions=DECIDING[1:], is_quiet=is_quiet)


def _question(line: StatementLine) -> Promise:
    if line.status == LineStatus.AMBIGUOUS:
        return CANDIDATES
    return CAME_IN if line.amount > 0 else WENT_OUT


def _why(line: StatementLine) -> str | SafeString:
    match = line.matches.filter(undone_at=None).order_by("-pk").first()
    if match is None:
        return gettext("It was decided.")
    head = match.get_kind_display()
    if match.subject_id:
        head = format_html("{}: {}", head, subject_of(match))
    return format_html("{}<br>{}", head, explanation_of(match))
