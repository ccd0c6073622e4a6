"""Payment links and the count of their visits. Their orders are in payments.collect."""

import secrets
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Currency, Logo, Merchant
from payments.core import money, states
from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id

# No vowels, so that a code is never a word, and no characters that look like others.
CODE_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
CODE_LENGTH = 9
TITLE_LENGTH = 120
DESCRIPTION_LENGTH = 500
OWN_FIELDS_MAX = 5
LABEL_LENGTH = 40
# The metadata of an order has at most 1 KB. Five answers of this length fit.
ANSWER_LENGTH = 80
COUNT_MAX = 1_000_000


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _each in range(CODE_LENGTH))


class LinkStatus(models.TextChoices):
    ACTIVE = "ACTIVE", _("Active")
    PAUSED = "PAUSED", _("Paused")
    ENDED = "ENDED", _("Ended")


class Asked(models.TextChoices):
    """Whether the payer is asked for something."""

    NONE = "NONE", _("Not asked")
    OPTIONAL = "OPTIONAL", _("Optional")
    REQUIRED = "REQUIRED", _("Required")


LINK_MOVES: states.Moves = {
    LinkStatus.ACTIVE: frozenset({LinkStatus.PAUSED, LinkStatus.ENDED}),
    LinkStatus.PAUSED: frozenset({LinkStatus.ACTIVE, LinkStatus.ENDED}),
}


def _asked(default: Asked, label: Any) -> models.CharField:
    return models.CharField(label, max_length=10, choices=Asked.choices, default=default)


class PaymentLink(models.Model):
    """A page on which a payer makes an order. Amounts are in units of the link's currency."""

    Status = LinkStatus
    MOVES: ClassVar[states.Moves] = LINK_MOVES

    id = IdField(primary_key=True, default=partial(new_id, "lnk"), editable=False)
    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, db_index=False, verbose_name=_("merchant")
    )
    code = models.CharField(
        _("code"), max_length=CODE_LENGTH, unique=True, default=new_code, editable=False
    )
    title = models.CharField(_("title"), max_length=TITLE_LENGTH)
    description = models.CharField(_("description"), max_length=DESCRIPTION_LENGTH, blank=True)
    image = models.ForeignKey(
        Logo,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="+",
        verbose_name=_("image"),
    )
    currency = models.CharField(
        _("currency"), max_length=4, choices=Currency.choices, default=Currency.COP
    )
    # Null: the payer chooses, from min_amount to max_amount.
    amount = MoneyField(_("amount"), null=True, blank=True)
    min_amount = MoneyField(_("minimum"), null=True, blank=True)
    max_amount = MoneyField(_("maximum"), null=True, blank=True)
    ask_name = _asked(Asked.REQUIRED, _("name"))
    ask_email = _asked(Asked.REQUIRED, _("e-mail"))
    ask_document = _asked(Asked.NONE, _("document"))
    ask_phone = _asked(Asked.NONE, _("mobile phone"))
    # [{"label": "Table", "required": true}]
    own_fields = models.JSONField(_("own fields"), default=list, blank=True)
    # Null: without a limit. Orders that ended unpaid do not count.
    max_uses = models.PositiveIntegerField(_("payments at most"), null=True, blank=True)
    stock = models.PositiveIntegerField(_("pieces in stock"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    callback_url = models.CharField(max_length=2000, null=True, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=LinkStatus.choices, default=LinkStatus.ACTIVE
    )
    # The number of the newest order, for its reference. Its row is locked while an order is made.
    last_number = models.PositiveIntegerField(default=0, editable=False)
    created_by = models.CharField(_("created by"), max_length=150)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)
    fingerprint = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("payment link")
        verbose_name_plural = _("payment links")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
                name="link_idempotency_key_once",
            ),
            models.CheckConstraint(
                condition=Q(amount=None) | Q(amount__gt=0, min_amount=None, max_amount=None),
                name="link_amount_fixed_or_open",
            ),
            models.CheckConstraint(
                condition=Q(max_amount=None) | Q(max_amount__gte=F("min_amount")),
                name="link_amounts_in_order",
            ),
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at", "-id"], name="link_newest"),
            models.Index(
                fields=["merchant", "status", "-created_at", "-id"], name="link_newest_by_status"
            ),
        ]
        triggers = [
            states.guard(LINK_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def path(self) -> str:
        return f"/l/{self.code}"

    @property
    def url(self) -> str:
        return f"{settings.PUBLIC_URL}{self.path}"

    @property
    def fee(self) -> Decimal | None:
        """On top of a fixed amount, as in every order."""
        if self.amount is None:
            return None
        return money.percentage_fee(self.amount, settings.COLLECT_FEE_RATE, self.currency)

    @property
    def total(self) -> Decimal | None:
        """What the payer pays of a fixed amount."""
        return None if self.amount is None or self.fee is None else self.amount + self.fee

    @property
    def is_open_amount(self) -> bool:
        return self.amount is None

    @property
    def limit(self) -> int | None:
        """The most payments, by uses and by stock."""
        limits = [count for count in (self.max_uses, self.stock) if count is not None]
        return min(limits, default=None)


class LinkVisits(models.Model):
    """How many visitors a link had on a day in Bogotá."""

    link = models.ForeignKey(PaymentLink, on_delete=models.PROTECT, db_index=False)
    day = models.DateField()
    visits = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "day"], name="link_visits_once")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.day}: {self.visits}"
