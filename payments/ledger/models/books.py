"""Tables of the ledger. Their triggers hold for every writer.

A posting above zero increases what we owe the owner of the account: + on a merchant's balance and
on our fees, - on the clearing account of a provider that received money for us, and on a bank
account with money in it. Only services.post() writes here.
"""

from functools import partial

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import money
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.core.models import append_only, no_truncate
from payments.core.products import products

# Runs once for each posting at the commit, when the entry is complete.
_ENTRY_BALANCES = """
IF EXISTS (
    SELECT FROM ledger_posting WHERE entry_id = NEW.entry_id
    GROUP BY currency HAVING sum(amount) <> 0
) THEN
    RAISE EXCEPTION 'ledger: entry % does not balance', NEW.entry_id
        USING ERRCODE = 'integrity_constraint_violation';
END IF;
RETURN NULL;
"""

# Runs once for each change of a merchant's balance, at the commit. It reads the row again, because
# NEW is the row after that one change, and a transaction may post to one account twice.
_BALANCE_IS_POSTED = """
IF (SELECT balance FROM ledger_account WHERE id = NEW.id) <> COALESCE(
    (SELECT balance_after FROM ledger_posting WHERE account_id = NEW.id ORDER BY id DESC LIMIT 1),
    0
) THEN
    RAISE EXCEPTION 'ledger: the balance of % is not what its postings say', NEW.code
        USING ERRCODE = 'integrity_constraint_violation';
END IF;
RETURN NULL;
"""


class Cost(models.TextChoices):
    """Owners of accounts of costs. Below zero: the amount that we have paid.

    Withholdings are taxes of ours that an acquirer or a bank has paid in advance.
    """

    BANK_COMMISSION = "bank_commission", _("commission of a bank")
    PROVIDER_COMMISSION = "provider_commission", _("commission of a provider")
    VAT = "vat", _("IVA on commissions")
    GMF = "gmf", _("tax on movements (4x1000)")
    CONSUMPTION_TAX = "consumption_tax", _("consumption tax")
    INCOME_WITHHOLDING = "income_withholding", _("withholding of income tax")
    ICA_WITHHOLDING = "ica_withholding", _("withholding of ICA")
    VAT_WITHHOLDING = "vat_withholding", _("withholding of IVA")
    # Above zero: the bank pays it.
    INTEREST = "interest", _("interest")
    OTHER = "other", _("other")


class Account(models.Model):
    """One balance of a merchant, or one account of the service itself, in one currency.

    A merchant's account stores its balance in this row. A system account stores none, so that
    payments never wait for each other on its row. Its balance is the sum of its postings.
    """

    class Kind(models.TextChoices):
        AVAILABLE = "available", _("merchant, available")
        HELD = "held", _("merchant, held")
        CLEARING = "clearing", _("clearing with a provider")
        FEES = "fees", _("fees")
        TAXES = "taxes", _("taxes")
        SUSPENSE = "suspense", _("suspense")
        BANK = "bank", _("bank account")
        TRANSIT = "transit", _("on its way to the bank")
        COSTS = "costs", _("costs")
        EQUITY = "equity", _("equity")
        CONVERSION = "conversion", _("conversion")
        LOSSES = "losses", _("losses")
        SANDBOX = "sandbox", _("sandbox funding")

    OF_MERCHANTS = (Kind.AVAILABLE, Kind.HELD)

    code = models.CharField(_("code"), max_length=100, unique=True, db_collation="C")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    merchant = models.ForeignKey(
        Merchant, models.PROTECT, null=True, related_name="+", verbose_name=_("merchant")
    )
    currency = models.CharField(_("currency"), max_length=4)
    balance = MoneyField(_("balance"), null=True)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.CheckConstraint(condition=Q(balance__gte=0), name="account_not_overdrawn"),
            models.CheckConstraint(
                condition=Q(kind__in=("available", "held"), merchant__isnull=False)
                & Q(balance__isnull=False)
                | ~Q(kind__in=("available", "held")) & Q(merchant=None, balance=None),
                name="account_balance_of_merchants_only",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="identity", exclude=["balance"]),
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            no_truncate(),
            pgtrigger.Trigger(
                name="balance_is_posted",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.Update,
                timing=pgtrigger.Deferred,
                condition=pgtrigger.Condition("NEW.balance IS NOT NULL"),
                func=_BALANCE_IS_POSTED,
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def owner(self) -> str:
        """As in services.AccountRef."""
        return self.code.removeprefix(self.kind).removesuffix(self.currency).strip(":")


def entry_kinds() -> list[tuple[str, str | Promise]]:
    """The kinds with their labels. A function, so that a new product needs no migration."""
    own: list[tuple[str, str | Promise]] = list(Entry.Kind.choices)
    disputes = Entry.Kind.values.index(Entry.Kind.DISPUTE_OPENED)
    of_products = [kind for product in products() for kind in product.entry_kinds]
    return [*own[:disputes], *of_products, *own[disputes:]]


class Entry(models.Model):
    """One fact about money. Its postings name the accounts that the money left and entered."""

    class Kind(models.TextChoices):
        """Products declare the kinds of outgoing payments: see `entry_kinds`."""

        COLLECT_SETTLED = "collect_settled", _("collection settled")
        DEPOSIT_RECEIVED = "deposit_received", _("part of a collection received")
        UNMATCHED_RECEIVED = "unmatched_received", _("unmatched funds received")
        DISPUTE_OPENED = "dispute_opened", _("dispute opened")
        DISPUTE_WON = "dispute_won", _("dispute won")
        DISPUTE_LOST = "dispute_lost", _("dispute lost")
        UNMATCHED_CREDITED = "unmatched_credited", _("unmatched funds credited")
        UNMATCHED_APPLIED = "unmatched_applied", _("unmatched funds applied to an order")
        UNMATCHED_RETURNED = "unmatched_returned", _("unmatched funds returned")
        SETTLEMENT_TAXED = "settlement_taxed", _("tax of a settlement")
        STATEMENT_OPENED = "statement_opened", _("opening balance of a bank account")
        STATEMENT_IMPORTED = "statement_imported", _("bank statement imported")
        BANK_LINE_CLEARED = "bank_line_cleared", _("bank movement assigned")
        BANK_LINE_REOPENED = "bank_line_reopened", _("bank movement no longer assigned")
        BANK_LINE_CREDITED = "bank_line_credited", _("bank movement credited to a merchant")
        BANK_LINE_REVERSED = "bank_line_reversed", _("credit of a bank movement reversed")
        DISBURSEMENT_DECLARED = "disbursement_declared", _("disbursement declared by an acquirer")
        SANDBOX_CREDITED = "sandbox_credited", _("sandbox credit")

    id = IdField(primary_key=True, default=partial(new_id, "ent"), editable=False)
    kind = models.CharField(_("kind"), max_length=40, choices=entry_kinds)
    # The idempotency key: the order of a collection, the provider's trace of a deposit.
    dedupe = models.CharField(max_length=200, db_collation="C")
    subject_id = IdField(_("subject"))
    # Only texts, because the digest needs the same value that was written.
    memo = models.JSONField(_("memo"), default=dict)
    created_at = models.DateTimeField(_("created at"))
    digest = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [models.UniqueConstraint(fields=["kind", "dedupe"], name="entry_posted_once")]
        indexes = [models.Index(fields=["subject_id", "id"], name="entry_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}"


class Posting(models.Model):
    """One line of an entry. Zero is never posted."""

    id = models.BigAutoField(primary_key=True)
    entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="postings", verbose_name=_("entry")
    )
    account = models.ForeignKey(
        Account, models.PROTECT, related_name="postings", db_index=False, verbose_name=_("account")
    )
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("amount"))
    # Set on merchants' accounts only. The ids of one account's postings ascend, because each id is
    # drawn while the balance is locked.
    balance_after = MoneyField(_("balance after"), null=True)
    # Copies of the entry's fields, for lists of one account. The time is never before that of the
    # account's previous posting, so that a list by time shows the running balance.
    kind = models.CharField(_("kind"), max_length=40)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("posting")
        verbose_name_plural = _("postings")
        constraints = [models.CheckConstraint(condition=~Q(amount=0), name="posting_not_zero")]
        indexes = [
            models.Index(fields=["account", "id"], name="posting_account"),
            models.Index(
                fields=["account", "created_at", "id"],
                name="posting_moment",
                condition=Q(balance_after__isnull=False),
            ),
            models.Index(
                fields=["account", "kind", "created_at", "id"],
                name="posting_kind",
                condition=Q(balance_after__isnull=False),
            ),
        ]
        triggers = [
            *append_only(),
            pgtrigger.Trigger(
                name="entry_balances",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                timing=pgtrigger.Deferred,
                func=_ENTRY_BALANCES,
            ),
        ]

    def __str__(self) -> str:
        sign = "+" if self.amount > 0 else ""
        return f"{sign}{money.digits(self.amount, self.currency)} {self.currency}"


class PostingTally(models.Model):
    """How many postings of a kind a merchant's account has on a UTC day.

    services.post() keeps it under the lock of the balance, so that totals and far pages of
    movements cost the same at ten postings and at ten million.
    """

    account = models.ForeignKey(Account, models.PROTECT, related_name="tallies", db_index=False)
    kind = models.CharField(max_length=40)
    day = models.DateField()
    postings = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "day", "kind"], name="posting_tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.day} {self.kind}: {self.postings}"
