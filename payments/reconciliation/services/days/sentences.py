"""What a difference is, and what an operator does next, in the reader's language."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from payments.core import money


class Cause(NamedTuple):
    """Sentences with the facts of an item."""

    what: str
    next_step: str


_IMPORT = _(
    "Import the statements up to today. If none of them has it, ask the bank with the day and the "
    "amount."
)
CAUSES: Mapping[str, Cause] = {
    "not_credited": Cause(
        _("The bank shows %(line)s pesos of this order; it was credited %(credited)s."),
        _(
            "Reload after a minute: a task tells the order. If it stays, open the order and read "
            "its timeline."
        ),
    ),
    "of_no_order": Cause(
        _("%(line)s pesos were matched to a reference that no order has."),
        _("Open the movement, take the match back with a reason, and decide it again."),
    ),
    "no_bank_line": Cause(
        _("The order was credited %(credited)s pesos that no movement of the bank shows."),
        _(
            "Import the statements up to today. If none of them has the money, open the order and "
            "see in its timeline who credited it."
        ),
    ),
    "payment_not_booked": Cause(
        _("The bank debited code %(code)s, and our payment of %(amount)s pesos is not completed."),
        _(
            "Reload after a minute: a task tells the payment. If it stays, open the payment and "
            "decide it with the statement as proof."
        ),
    ),
    "return_not_booked": Cause(
        _("Code %(code)s came back, and our payment of %(amount)s pesos is not returned."),
        _(
            "Reload after a minute: a task tells the payment. If it stays, open the payment and "
            "decide it with the statement as proof."
        ),
    ),
    "not_debited": Cause(
        _("The payment file has %(amount)s pesos with code %(code)s, and no movement shows it."),
        _(
            "Import the statements up to today. If the bank did not pay it, upload the bank's "
            "answer to the batch."
        ),
    ),
    "other_sum": Cause(
        _("The bank shows %(line)s pesos, the disbursements are %(net)s."),
        _("Open the movement, take the match back with a reason, and decide it again."),
    ),
    "payment_unknown": Cause(
        _("The acquirer paid %(gross)s pesos for %(transaction)s, which is no payment of ours."),
        _(
            "Look the transaction up in the acquirer's dashboard. It may be of a terminal or a "
            "shop that does not use this service."
        ),
    ),
    "payment_smaller_here": Cause(
        _("The acquirer paid %(gross)s pesos for %(transaction)s; our books have %(known)s."),
        _("Open the order and query its charge at the acquirer."),
    ),
    "not_arrived": Cause(
        _("%(account)s announced %(net)s pesos, and no movement of the bank shows them."),
        _(
            "Import the statements up to today. If none of them has the amount, ask the acquirer "
            "for the proof of the transfer."
        ),
    ),
    "not_in_file": Cause(
        _("A payment of %(received)s pesos is in no settlement file of the acquirer."),
        _(
            "Import the settlement files up to today. If none of them has it, ask the acquirer "
            "with the transaction of the order."
        ),
    ),
    "tariff": Cause(
        _(
            "The acquirer kept %(declared)s pesos as %(name)s of %(count)s payments; its tariff "
            "expects %(expected)s."
        ),
        _(
            "Compare the contract with the tariff. Add a newer tariff, or claim the difference "
            "from the acquirer. The books have what the file says."
        ),
    ),
    "not_booked": Cause(
        _("The movement of %(line)s pesos is decided; the books have %(booked)s of it."),
        _("Run manage.py verify_ledger, and ask the people who maintain the service."),
    ),
    "not_looked_at": Cause(
        _("A new movement of %(amount)s pesos waits for the matcher: %(text)s."),
        _("Reload after a minute. If it stays, see whether a worker runs."),
    ),
    "several_candidates": Cause(
        _("%(amount)s pesos may be of several payments: %(text)s."),
        _("Open the movement, compare its candidates, and accept one."),
    ),
    "no_candidate": Cause(
        _("No payment explains %(amount)s pesos: %(text)s."),
        _(
            "Open the movement. Assign it to an order, credit it to a merchant, or book what it "
            "was."
        ),
    ),
    "perhaps_twice": Cause(
        _("%(amount)s pesos are there a second time: %(text)s."),
        _(
            "Compare both movements. If the bank or the acquirer paid twice, book the second one "
            "and return it."
        ),
    ),
    "finding_second_debit": Cause(
        _("The bank paid code %(code)s a second time: %(amount)s pesos."),
        _("Open the line of the payment file, and claim the second payment from the bank."),
    ),
    "finding_other_amount": Cause(
        _("The bank paid another amount for code %(code)s: %(amount)s pesos."),
        _("Open the line of the payment file, and compare it with the bank's proof."),
    ),
    "finding_not_handed_over": Cause(
        _("The bank paid %(amount)s pesos for code %(code)s, whose file was not downloaded."),
        _("Open the line of the payment file, and find out how the bank got it."),
    ),
    "finding_paid_after_failed": Cause(
        _("The bank paid %(amount)s pesos for code %(code)s after it was declared not paid."),
        _("Open the payment, and decide it: the merchant has the money again."),
    ),
    "finding_second_return": Cause(
        _("Code %(code)s came back a second time: %(amount)s pesos."),
        _("Open the line of the payment file, and ask the bank why."),
    ),
    "finding_return_after_failed": Cause(
        _("Code %(code)s came back after it was declared not paid: %(amount)s pesos."),
        _("Open the line of the payment file: the bank had paid it after all."),
    ),
    "finding_debit_withdrawn": Cause(
        _("The movement that proved code %(code)s was assigned elsewhere: %(amount)s pesos."),
        _("Open the line of the payment file, and find its debit."),
    ),
    "gap": Cause(
        _("Movements of %(first)s to %(last)s are missing: %(amount)s pesos together."),
        _("Download the statement of these days from the bank, and import it."),
    ),
    "no_statement": Cause(
        _("No statement has the movements of %(day)s."),
        _("Download the statement of the day from the bank, and import it."),
    ),
    "statement_sum": Cause(
        _("The movements of the day lead to %(found)s pesos, the statement ends with %(wanted)s."),
        _(
            "Download the statement of the day once more and import it: the bank may have added "
            "movements."
        ),
    ),
    "ledger_sum": Cause(
        _("The ledger has %(found)s pesos for this bank account, the statement %(wanted)s."),
        _("Run manage.py verify_ledger, and ask the people who maintain the service."),
    ),
}
_UNKNOWN = Cause(_("The columns differ."), _IMPORT)
# Facts that are not amounts.
_TEXTS = ("text", "code", "transaction", "account", "name", "count", "first", "last", "day")


def what(cause: str, facts: Mapping[str, str]) -> str:
    return _filled(CAUSES.get(cause, _UNKNOWN).what, facts)


def next_step(cause: str) -> str:
    return gettext(CAUSES.get(cause, _UNKNOWN).next_step)


def _filled(sentence: str, facts: Mapping[str, str]) -> str:
    shown = {name: value if name in _TEXTS else _amount(value) for name, value in facts.items()}
    if "name" in facts:
        shown["name"] = DEDUCTION_NAMES.get(facts["name"], facts["name"])
    try:
        return gettext(sentence) % shown
    except KeyError:  # a fact of another release
        return gettext(sentence)


def _amount(value: str) -> str:
    try:
        return money.digits(Decimal(value), money.FIAT)
    except InvalidOperation:
        return value


DEDUCTION_NAMES = {
    "commission": _("commission"),
    "vat": "IVA",
    "ica_withheld": "reteICA",
    "vat_withheld": "reteIVA",
    "income_tax_withheld": "retefuente",
    "consumption_tax": "impoconsumo",
}
