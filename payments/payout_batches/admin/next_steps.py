"""The next step of a file, and what is unusual about it."""

from decimal import Decimal

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console import four_eyes, tenancy
from payments.console.detail_page import NextStep
from payments.console.formatting import amount
from payments.core import money
from payments.ledger.services import balances
from payments.payout.models import Payout
from payments.payout_batches.admin.words import CAUSE_OTHERS, CAUSES, OPEN
from payments.payout_batches.files import faults
from payments.payout_batches.models import UNEXPECTED, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import steps, totals

FAILED = (Payout.Status.FAILED, Payout.Status.REFUNDED)

STEPS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    BatchStatus.CHECKING: (
        _("The file is being checked. This page loads itself again; nothing moves."),
        (),
    ),
    BatchStatus.RUNNING: (_("The payouts are being created, in the order of the file."), ()),
    BatchStatus.PAUSED: (
        _("Paused: no more payouts are created until it is resumed."),
        ("resume",),
    ),
    BatchStatus.CANCELLED: (_("The lines without a payout were cancelled."), ()),
    BatchStatus.REJECTED: (_("It was rejected. Nothing was paid."), ()),
    BatchStatus.DISCARDED: (_("It was discarded. Nothing was paid."), ()),
}


STOPPED = _(
    "An error of Pasarela has stopped it, and its people have been called. No payment is lost or "
    "doubled. Resume it when they say so."
)
STOPPED_HERE = _(
    "An error of the service has stopped it; the log has the error. No payment is lost or doubled. "
    "Resume it when the error is mended; the merchant can do so, too."
)


def next_step(batch: PayoutBatch) -> NextStep:
    if batch.status == BatchStatus.REFUSED:
        fault = faults.file_fault(batch.cause, batch.cause_values)
        return NextStep(why=fault, actions=("mend", "discard"))
    if batch.status == BatchStatus.CHECKED:
        return _checked(batch)
    if batch.status == BatchStatus.WAITING:
        return _waiting(batch)
    if batch.status == BatchStatus.DONE:
        return _done(batch)
    why, actions = STEPS[batch.status]
    if is_stopped(batch):
        return _stopped()
    if batch.status == BatchStatus.RUNNING and batch.cause:
        why = CAUSES.get(batch.cause, CAUSE_OTHERS)
    if batch.status in (BatchStatus.CHECKING, BatchStatus.RUNNING):
        return NextStep(why=why, title=gettext("Under way"), icon="schedule")
    return NextStep(why=why, actions=actions)


def is_stopped(batch: PayoutBatch) -> bool:
    """By an error of the service."""
    return batch.status == BatchStatus.PAUSED and batch.cause == UNEXPECTED


def _stopped() -> NextStep:
    if tenancy.current_user_is_merchant():
        return NextStep(why=STOPPED, actions=("resume",))
    return NextStep(why=STOPPED_HERE, actions=("restart",))


def _checked(batch: PayoutBatch) -> NextStep:
    if not batch.wrong_count:
        text = gettext("All lines are valid. Look at the totals, then send them for approval.")
        if batch.warning_count:
            text = gettext(
                "No line is wrong. Look at the lines below, then send them for approval."
            )
        return NextStep(why=text, actions=("send", "discard"))
    text = gettext("Wrong lines: %(count)s. Mend the file and upload it again.")
    if not batch.line_count:
        actions: tuple[str, ...] = ("mend", "errors_xlsx", "discard")
        return NextStep(why=text % {"count": batch.wrong_count}, actions=actions)
    text = ngettext(
        "Wrong lines: %(count)s. Mend the file and upload it again, or send the valid line for "
        "approval and leave the wrong ones out.",
        "Wrong lines: %(count)s. Mend the file and upload it again, or send the %(valid)s valid "
        "lines for approval and leave the wrong ones out.",
        batch.line_count,
    )
    counts = {"count": batch.wrong_count, "valid": money.grouped(str(batch.line_count))}
    return NextStep(why=text % counts, actions=("mend", "errors_xlsx", "send", "discard"))


def _waiting(batch: PayoutBatch) -> NextStep:
    if steps.waits_for_operator(batch) and not steps.waits_for_team(batch):
        why = gettext("A person of Pasarela has to approve it before it is paid.")
    elif tenancy.current_user_is_merchant() and steps.may_approve(batch, tenancy.current_user()):
        why = gettext("%(first)s sent it for approval: look at the totals, then approve or reject.")
        why = why % {"first": batch.submitted_by}
    else:
        why = gettext("Another person of the team approves it: not %(first)s, who sent it.")
        why = why % {"first": batch.submitted_by}
    return NextStep(why=why, actions=("approve", "reject"), waiting=why)


def _done(batch: PayoutBatch) -> NextStep:
    """Where the money is: that every payout exists does not mean that it has arrived."""
    shown = where_it_is(batch)
    if failed := _failed_lines(batch):
        return _repeat(batch, shown, failed)
    if not is_under_way(batch):
        return NextStep(why=shown)
    text = gettext("%(counts)s. Nothing has to be done: this page shows how they arrive.")
    shown = text % {"counts": shown}
    return NextStep(
        why=shown, waiting=shown, title=gettext("The payouts are on their way"), icon="schedule"
    )


def _repeat(batch: PayoutBatch, counts: str, failed: int) -> NextStep:
    """What did not arrive is paid with another file: no payout is sent twice."""
    title = ngettext("%(count)s line did not arrive", "%(count)s lines did not arrive", failed)
    if tenancy.current_user_is_merchant():
        text = gettext(
            "%(counts)s. The money of what did not arrive is in your balance. The file of lines "
            "with their state says why each one failed: correct those, and upload them alone in "
            "a new file."
        )
    else:
        text = gettext(
            "%(counts)s. The money of what did not arrive is in the merchant's balance, and only "
            "the merchant can pay again, with a new file of those lines. Look at the reasons: many "
            "equal ones point to the rail and not to the data."
        )
    return NextStep(
        why=text % {"counts": counts},
        actions=("result_xlsx",),
        link=_failed_link(batch, failed),
        further=_new_file(),
        title=title % {"count": money.grouped(str(failed))},
        icon="error",
    )


def _failed_link(batch: PayoutBatch, failed: int) -> tuple[str, str]:
    """The list of these lines, if one state has them all; else all lines."""
    counts = totals.lines_by_status(batch)
    states: dict[str, str] = {
        "failed": Payout.Status.FAILED,
        "returned": Payout.Status.REFUNDED,
        "refused": LineStatus.REFUSED,
    }
    whole = [name for name, code in states.items() if counts.get(code) == failed]
    query = f"file={batch.pk}" + (f"&state={whole[0]}" if whole else "")
    label = gettext("See these lines") if whole else gettext("See all lines")
    return label, f"{reverse('admin:payout_batches_batchline_changelist')}?{query}"


def _new_file() -> tuple[NextStep, ...]:
    user = tenancy.current_user()
    may_upload = user is not None and user.has_perm("payout_batches.prepare_payoutbatch")
    if not may_upload or not tenancy.current_user_is_merchant():
        return ()
    address = reverse("admin:payout_batches_payoutbatch_upload")
    text = gettext("A line that arrived is not in the new file, or it is paid twice.")
    return (NextStep(why=text, link=(gettext("Upload a new file"), address)),)


def is_under_way(batch: PayoutBatch) -> bool:
    counts = totals.count_by_payout_status(batch)
    return any(counts.get(status) for status in OPEN)


def where_it_is(batch: PayoutBatch) -> str:
    """`198 arrived, 2 on their way`."""
    counts = totals.count_by_payout_status(batch)
    arrived = counts.get(Payout.Status.COMPLETED, 0)
    open_ones = sum(counts.get(status, 0) for status in OPEN)
    failed = sum(counts.get(status, 0) for status in FAILED)
    refused = _failed_lines(batch) - failed
    parts = [
        (arrived, ngettext("%(count)s payout arrived", "%(count)s payouts arrived", arrived)),
        (open_ones, ngettext("%(count)s on its way", "%(count)s on their way", open_ones)),
        (failed, ngettext("%(count)s failed", "%(count)s failed", failed)),
        (refused, ngettext("%(count)s refused", "%(count)s refused", refused)),
    ]
    return ", ".join(text % {"count": money.grouped(str(n))} for n, text in parts if n)


def _failed_lines(batch: PayoutBatch) -> int:
    """The valid lines whose money did not arrive, or came back."""
    counts = totals.lines_by_status(batch)
    return sum(counts.get(code, 0) for code in (*FAILED, LineStatus.REFUSED))


def warnings(batch: PayoutBatch) -> list[object]:
    found: list[object] = []
    if batch.ignored:
        text = gettext("These columns are not used: %(names)s.")
        found.append(text % {"names": ", ".join(batch.ignored)})
    if batch.status in (BatchStatus.CHECKED, BatchStatus.WAITING):
        found += before_paying(batch)
    return found + four_eyes.warnings(
        subject_id=batch.pk, approval="payout_batch.approved", asked_by=batch.submitted_by
    )


def before_paying(batch: PayoutBatch) -> list[object]:
    found: list[object] = []
    if batch.warning_count:
        text = gettext("Lines to look at before they are paid: %(count)s. They are listed below.")
        found.append(text % {"count": batch.warning_count})
    if (missing := missing_pesos(batch)) > 0:
        text = gettext(
            "The balance is %(missing)s short: the last lines wait until there is money."
        )
        found.append(text % {"missing": amount(missing, money.FIAT)})
    return found


def available(batch: PayoutBatch) -> Decimal:
    """Of the balance that pays, in its currency."""
    of_currency = balances(batch.merchant_id).get(batch.currency, {})
    return of_currency.get("available", Decimal(0))


def missing_pesos(batch: PayoutBatch) -> Decimal:
    """Zero if the balance is enough, or is not in pesos."""
    if batch.currency != money.BALANCE_OF_FIAT:
        return Decimal(0)
    return max(batch.amount + batch.fee_amount - available(batch), Decimal(0))
