"""What a person compares before deciding about a file: money, lines, beneficiaries, people."""

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from payments.console.formatting import amount, when
from payments.console.timeline import who
from payments.core import clock, money
from payments.core.text import normalised_document
from payments.payout.admin.dry_run_facts import day_shown
from payments.payout.models import Network, Payout
from payments.payout.services import arrival_times, team, team_approvals
from payments.payout.services.hand_warnings import GONE
from payments.payout_batches.admin import next_steps
from payments.payout_batches.models import BatchLine, LineStatus, PayoutBatch

Fact = tuple[object, object]


def facts(batch: PayoutBatch) -> list[Fact]:
    """The sum that leaves the balance first."""
    total = batch.amount + batch.fee_amount
    found: list[Fact] = [
        (gettext("Total debit"), amount(total, money.FIAT)),
        (gettext("Payouts"), _all_lines(batch)),
        (gettext("Amount"), amount(batch.amount, money.FIAT)),
        (gettext("Fees"), amount(batch.fee_amount, money.FIAT)),
        *balances(batch),
    ]
    if batch.approved_at is None and batch.line_count:
        found += [*_beneficiaries(batch), *_largest(batch), (gettext("Arrives"), _arrives(batch))]
    if batch.submitted_by and batch.submitted_at:
        text = gettext("%(person)s, on %(day)s")
        asked = {"person": who(batch.submitted_by), "day": when(batch.submitted_at)}
        found.append((gettext("Sent for approval by"), text % asked))
    return found


def balances(batch: PayoutBatch) -> list[Fact]:
    """Before it is paid. Of a balance in another currency the debit is not known yet."""
    if batch.approved_at is not None or not batch.line_count:
        return []
    now = next_steps.available(batch)
    if batch.currency != money.BALANCE_OF_FIAT:
        return [(gettext("Balance now"), amount(now, batch.currency))]
    after = now - batch.amount - batch.fee_amount
    return [
        (gettext("Balance now"), amount(now, money.FIAT)),
        (gettext("Balance after"), amount(after, money.FIAT)),
    ]


def who_approves(batch: PayoutBatch, asked_by: str) -> str:
    """Before it is sent, by the rules of this moment. Empty: no person has to."""
    need = team_approvals.needed(
        merchant=batch.merchant,
        amount=batch.amount,
        requested_by=asked_by,
        prepared_by=batch.created_by,
    )
    parts = []
    if need.people:
        able = team.approvers(
            merchant_id=batch.merchant_id, asked_by=asked_by, rule_set_by=need.rule_set_by
        )
        able = [user for user in able if team.is_second(user, batch.created_by)]
        names = [user.get_full_name() or user.get_username() for user in able]
        names = [need.person] if need.person else names
        text = ngettext("%(names)s", "%(count)s of: %(names)s", need.people)
        parts.append(text % {"count": need.people, "names": ", ".join(names)})
    if need.operator:
        parts.append(gettext("Pasarela"))
    return gettext(" and ").join(parts)


def _all_lines(batch: PayoutBatch) -> SafeString:
    address = reverse("admin:payout_batches_batchline_changelist")
    return format_html(
        '{} · <a class="desk-link" href="{}?file={}">{}</a>',
        *(money.grouped(str(batch.line_count)), address, batch.pk, gettext("See them all")),
    )


def _valid(batch: PayoutBatch) -> QuerySet[BatchLine]:
    return batch.lines.filter(status=LineStatus.WAITING)


def _beneficiaries(batch: PayoutBatch) -> list[Fact]:
    """How many have no earlier payout of the merchant, by their documents."""
    documents = {normalised_document(one) for (one,) in _valid(batch).values_list("doc_number")}
    earlier = Payout.objects.filter(merchant=batch.merchant_id, recipient_document__in=documents)
    known = set(earlier.exclude(status__in=GONE).values_list("recipient_document", flat=True))
    shown = gettext("%(new)s of %(all)s") % {
        "new": money.grouped(str(len(documents - known))),
        "all": money.grouped(str(len(documents))),
    }
    return [(gettext("New beneficiaries"), shown)]


def _largest(batch: PayoutBatch) -> list[Fact]:
    line = _valid(batch).order_by("-amount", "number").defer("cells").first()
    if line is None:
        return []
    text = gettext("%(amount)s · %(name)s (line %(line)s)")
    given = {"amount": amount(line.amount, money.FIAT), "name": line.recipient_name}
    return [(gettext("Largest payout"), text % {**given, "line": line.number})]


def _arrives(batch: PayoutBatch) -> str:
    """As of a payout by hand: what banks do, in place of a promise."""
    networks = set(_valid(batch).order_by().values_list("network", flat=True).distinct())
    said = []
    if Network.BANK in networks:
        text = gettext("To bank accounts on %s at the latest, if it is approved today.")
        said.append(text % day_shown(arrival_times.latest_day(clock.now())))
    if Network.BREB in networks:
        said.append(gettext("To Bre-B keys within seconds after the approval."))
    return " ".join(said)
