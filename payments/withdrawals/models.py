from functools import partial
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core import masking, states
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.kept_files import KeptFile, type_is_known
from payments.core.models import append_only
from payments.payout.models import AccountType, Bank, Payout


class AccountStatus(models.TextChoices):
    """REPLACED: the merchant has entered another one."""

    UNVERIFIED = "UNVERIFIED", _("Waiting for verification")
    VERIFIED = "VERIFIED", _("Verified")
    REJECTED = "REJECTED", _("Rejected")
    REPLACED = "REPLACED", _("Replaced")


MOVES: states.Moves = {
    AccountStatus.UNVERIFIED: frozenset(
        {AccountStatus.VERIFIED, AccountStatus.REJECTED, AccountStatus.REPLACED}
    ),
    AccountStatus.VERIFIED: frozenset({AccountStatus.REJECTED, AccountStatus.REPLACED}),
}
CURRENT = (AccountStatus.UNVERIFIED, AccountStatus.VERIFIED)


class BankAccount(models.Model):
    """An account as it was entered. It never changes: another account is another row.

    `holder_name` and `nit` are the merchant's legal data at that time, which are what was verified.
    """

    Status = AccountStatus
    MOVES: ClassVar[states.Moves] = MOVES

    id = IdField(primary_key=True, default=partial(new_id, "ba"), editable=False)
    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, verbose_name=_("merchant"))
    bank = models.ForeignKey(Bank, on_delete=models.PROTECT, verbose_name=_("bank"))
    account_type = models.CharField(_("account type"), max_length=10, choices=AccountType.choices)
    account_number = models.CharField(_("account number"), max_length=34)
    holder_name = models.CharField(_("holder"), max_length=200)
    nit = models.CharField("NIT", max_length=10)
    status = models.CharField(
        _("status"), max_length=10, choices=AccountStatus.choices, default=AccountStatus.UNVERIFIED
    )
    entered_by = models.CharField(_("entered by"), max_length=150)
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True, default="")
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("bank account for withdrawals")
        verbose_name_plural = _("bank accounts for withdrawals")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant"], name="withdrawal_account_once", condition=Q(status__in=CURRENT)
            )
        ]
        indexes = [
            models.Index(
                fields=["created_at"],
                name="withdrawal_account_waits",
                condition=Q(status="UNVERIFIED"),
            )
        ]
        triggers = [states.guard(MOVES)]

    def __str__(self) -> str:
        return f"{self.bank} {masking.tail(self.account_number)}"


class AccountCertificate(KeptFile):
    """The bank's own statement of whose account it is. Append-only: another account has another.

    An account has none if no person of the merchant has entered it in the console.
    """

    account = models.OneToOneField(
        BankAccount,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="certificate",
        verbose_name=_("bank account for withdrawals"),
    )

    class Meta:
        verbose_name = _("certificate of a bank account")
        verbose_name_plural = _("certificates of bank accounts")
        default_permissions = ()
        constraints = [type_is_known("withdrawal_certificate_type_known")]
        triggers = append_only()


class Withdrawal(models.Model):
    """Which payout is a withdrawal, and to which account it went."""

    payout = models.OneToOneField(Payout, on_delete=models.PROTECT, primary_key=True)
    account = models.ForeignKey(BankAccount, on_delete=models.PROTECT, related_name="withdrawals")
    asked_by = models.CharField(_("who"), max_length=150)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("withdrawal")
        verbose_name_plural = _("withdrawals")

    def __str__(self) -> str:
        return str(self.payout_id)
