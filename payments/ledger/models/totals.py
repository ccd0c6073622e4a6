"""What the postings add up to, and what the accountant calls the accounts."""

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core.fields import MoneyField
from payments.ledger.models.books import Account, entry_kinds

PUC_CODE = r"\A\d{4,12}\Z"


class AccountDay(models.Model):
    """What one day in Bogotá moved on a system account.

    Of the postings up to TotalsCursor.posting_id. services/day_totals.py keeps it, so that balances
    of these accounts cost the same at any number of postings.
    """

    account = models.ForeignKey(Account, models.PROTECT, related_name="days", db_index=False)
    day = models.DateField()
    # The sum of the postings below zero, without the sign, and of those above zero.
    debits = MoneyField()
    credits = MoneyField()
    postings = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "day"],
                include=["debits", "credits", "postings"],
                name="account_day_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.day}"


class TotalsCursor(models.Model):
    """One row: all postings up to this id are in the totals of days."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    posting_id = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="totals_cursor_is_one")]

    def __str__(self) -> str:
        return str(self.posting_id)


class PucCode(models.Model):
    """The accountant's choice of a PUC account; services/puc.py has the defaults.

    target  a kind of account such as `bank`, or a kind with an owner such as `bank:main`.
    """

    target = models.CharField(_("account"), max_length=100, primary_key=True, db_collation="C")
    code = models.CharField(
        _("PUC account"),
        max_length=12,
        validators=[RegexValidator(PUC_CODE, _("Four to twelve digits."))],
    )
    name = models.CharField(_("name of the PUC account"), max_length=100)

    def __str__(self) -> str:
        return f"{self.target} -> {self.code}"


class SystemAccount(Account):
    """An account of the service itself, for its pages in the console."""

    class Meta:
        proxy = True
        verbose_name = _("own account")
        verbose_name_plural = _("own accounts")


class FeeDay(models.Model):
    """The fees of one merchant, on one day in Bogotá, by kind of entry and by method.

    Of the same postings as AccountDay. Below zero is what left the fees: fees that were given back,
    and taxes that were put aside.
    """

    day = models.DateField(_("day"))
    kind = models.CharField(_("kind"), max_length=40, choices=entry_kinds)
    # As entries have it: of payers, or the network of a payout. Empty for taxes.
    method = models.CharField(_("method"), max_length=40, blank=True)
    merchant = models.ForeignKey(
        Merchant,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("merchant"),
    )
    currency = models.CharField(_("currency"), max_length=4)
    amount = MoneyField(_("fees"))
    postings = models.BigIntegerField(_("times"))

    class Meta:
        verbose_name = _("fees of a day")
        verbose_name_plural = _("fees earned")
        constraints = [
            models.UniqueConstraint(
                "day",
                "currency",
                "kind",
                "method",
                Coalesce("merchant", Value("")),
                name="fee_day_once",
            ),
        ]
        # For the page of a merchant.
        indexes = [models.Index(fields=["merchant", "day"], name="fee_day_of_merchant")]

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.method}"
