"""Tables of what nodes showed: addresses, deposits, and how far each account has read its chain."""

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.core import states
from payments.core.fields import IdField, MoneyField

# 2**256 has 78 digits.
UNITS_DIGITS = 78


class AddressSequence(models.Model):
    """The next address of an extended public key, whatever accounts and networks use the key."""

    key_id = models.CharField(max_length=64, primary_key=True)
    next_index = models.PositiveIntegerField(default=0)

    class Meta:
        triggers = [
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="only_upward",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__next_index__lt=pgtrigger.F("old__next_index")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key_id[:8]}: {self.next_index}"


class CoinAddress(models.Model):
    """An address that was given to one charge. It is watched for ever and never given again."""

    id = models.BigAutoField(primary_key=True)
    key_id = models.CharField(max_length=64)
    index = models.PositiveIntegerField(_("index"))
    address = models.CharField(_("address"), max_length=100)
    # As the chain's data name the address (DerivedAddress.target).
    target = models.CharField(max_length=140)
    account = models.CharField(_("account"), max_length=30)
    coin = models.CharField(_("coin"), max_length=4)
    network = models.CharField(_("network"), max_length=30)
    # Of the coin, as it was then: the account may have another one since, or none.
    token = models.CharField(max_length=100, blank=True, default="", db_default="")
    decimals = models.PositiveSmallIntegerField(null=True)
    # The charge.
    reference = IdField(_("charge"))
    # Of the charge, in the coin, and when its price ends.
    amount = MoneyField(_("amount due"))
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(_("created at"))
    # When its deposits are reported to collections, and when the chain is asked about this address
    # alone (scanner/looks.py). Empty: not at all.
    report_at = models.DateTimeField(null=True)
    look_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("coin address")
        verbose_name_plural = _("coin addresses")
        constraints = [
            models.UniqueConstraint(fields=["key_id", "index"], name="coin_address_index"),
            models.UniqueConstraint(fields=["key_id", "target"], name="coin_address_target"),
            models.UniqueConstraint(fields=["reference", "account"], name="coin_address_reference"),
        ]
        indexes = [
            models.Index(
                fields=["report_at"],
                condition=Q(report_at__isnull=False),
                name="coin_address_report",
            ),
            models.Index(
                fields=["account", "look_at"],
                condition=Q(look_at__isnull=False),
                name="coin_address_look",
            ),
            models.Index(fields=["address"], name="coin_address_text"),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.address


class DepositStatus(models.TextChoices):
    """GONE: a reorganisation or the mempool dropped it. It may come back."""

    SEEN = "SEEN", _("Seen, in no block")
    IN_BLOCK = "IN_BLOCK", _("In a block, not final")
    FINAL = "FINAL", _("Final")
    GONE = "GONE", _("Gone")


_Status = DepositStatus
DEPOSIT_MOVES: states.Moves = {
    _Status.SEEN: frozenset({_Status.IN_BLOCK, _Status.FINAL, _Status.GONE}),
    _Status.IN_BLOCK: frozenset({_Status.SEEN, _Status.FINAL, _Status.GONE}),
    _Status.GONE: frozenset({_Status.SEEN, _Status.IN_BLOCK, _Status.FINAL}),
    # Money that was credited is never taken back.
    _Status.FINAL: frozenset(),
}


class Deposit(models.Model):
    """Money that one transaction moved to one of our addresses."""

    Status = DepositStatus
    MOVES: ClassVar[states.Moves] = DEPOSIT_MOVES

    id = models.BigAutoField(primary_key=True)
    address = models.ForeignKey(
        CoinAddress, on_delete=models.PROTECT, related_name="deposits", verbose_name=_("address")
    )
    # Of the account that saw it, which may be another one than the address has.
    account = models.CharField(_("seen by"), max_length=30)
    network = models.CharField(_("network"), max_length=30)
    # Empty: a token that the account does not take, whose contract is `token`.
    coin = models.CharField(_("coin"), max_length=4, blank=True)
    token = models.CharField(_("contract"), max_length=100, blank=True)
    decimals = models.PositiveSmallIntegerField(default=0)
    # In the smallest unit of the coin.
    units = models.DecimalField(_("units"), max_digits=UNITS_DIGITS, decimal_places=0)
    # Empty, with the height as position: growth of a balance that no transfer explains.
    transaction = models.CharField(_("transaction"), max_length=100, blank=True)
    position = models.BigIntegerField()
    # Empty while it is in no block.
    height = models.BigIntegerField(_("block"), null=True)
    block_hash = models.CharField(max_length=100, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=DepositStatus.choices)
    # False: dust, or known from the balance already.
    counts = models.BooleanField(_("counts"), default=True)
    first_seen_at = models.DateTimeField(_("first seen at"))
    final_at = models.DateTimeField(_("final at"), null=True)
    # A final deposit that is no longer on the chain.
    contradicted_at = models.DateTimeField(_("contradicted at"), null=True)
    # When it was last found to be gone.
    gone_at = models.DateTimeField(null=True)
    # One that is gone: its replacement has its `first_seen_at`.
    replaced_by = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    acknowledged_at = models.DateTimeField(_("acknowledged at"), null=True)
    acknowledged_by = models.CharField(_("acknowledged by"), max_length=150, blank=True)

    class Meta:
        verbose_name = _("coin deposit")
        verbose_name_plural = _("coin deposits")
        permissions = [("acknowledge_deposit", gettext_noop("Can acknowledge coin deposits"))]
        constraints = [
            models.UniqueConstraint(
                fields=["network", "transaction", "position", "address"], name="deposit_once"
            ),
            models.CheckConstraint(condition=Q(units__gt=0), name="deposit_units_positive"),
        ]
        indexes = [
            models.Index(
                fields=["account", "height"],
                condition=Q(status="IN_BLOCK"),
                name="deposit_in_block",
            ),
            models.Index(
                fields=["account"], condition=Q(status__in=["SEEN", "GONE"]), name="deposit_waiting"
            ),
            models.Index(fields=["account", "height"], name="deposit_height"),
            models.Index(
                fields=["id"],
                condition=Q(contradicted_at__isnull=False, acknowledged_at__isnull=True),
                name="deposit_contradicted",
            ),
            models.Index(
                fields=["id"],
                condition=Q(coin="", acknowledged_at__isnull=True),
                name="deposit_unknown_token",
            ),
        ]
        triggers = [
            states.guard(DEPOSIT_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.transaction or f"{self.address_id}@{self.height}"


class Problem(models.TextChoices):
    """Why the newest scan of an account did not follow the chain, or should not be relied on."""

    SILENT = "SILENT", _("the node does not answer")
    CONTRADICTS = "CONTRADICTS", _("the node contradicts itself")
    BEHIND = "BEHIND", _("the node has fewer blocks than were read already")
    OLD_TIP = "OLD_TIP", _("the node's newest block is too old")
    OTHER_CHAIN = "OTHER_CHAIN", _("the node has no block in common with those that were read")
    NO_WITNESS = "NO_WITNESS", _("the second node does not answer")
    NODES_DIFFER = "NODES_DIFFER", _("the two nodes show different blocks")


class ChainCursor(models.Model):
    """How far the chain was read through the node of an account."""

    account = models.CharField(_("account"), max_length=30, primary_key=True)
    network = models.CharField(_("network"), max_length=30)
    height = models.BigIntegerField(_("read to block"))
    hash = models.CharField(max_length=100)
    tip_height = models.BigIntegerField(_("newest block"))
    tip_time = models.DateTimeField(_("time of the newest block"))
    # The last scan that followed the chain.
    scanned_at = models.DateTimeField(_("scanned at"))
    problem = models.CharField(_("problem"), max_length=12, choices=Problem.choices, blank=True)
    problem_since = models.DateTimeField(_("since"), null=True)

    class Meta:
        verbose_name = _("chain")
        verbose_name_plural = _("chains")
        permissions = [("restart_chaincursor", gettext_noop("Can read a chain again"))]

    def __str__(self) -> str:
        return f"{self.account}: {self.height}"


class ScannedBlock(models.Model):
    """A block that was read. The newest ones are kept, to find where another fork begins."""

    id = models.BigAutoField(primary_key=True)
    account = models.CharField(max_length=30)
    height = models.BigIntegerField()
    hash = models.CharField(max_length=100)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "height"], name="scanned_block_once")
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.height}"
