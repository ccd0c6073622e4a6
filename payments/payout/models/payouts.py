"""The catalogue that an operator edits, and the payouts. Amounts are pesos."""

from functools import partial

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.models import renews_catalogue
from payments.outgoing.models import OutgoingPayment, SingleRow, Terms


class Network(models.TextChoices):
    BANK = "BANK", _("Bank account")
    BREB = "BREB", _("Bre-B instant key")


class AccountType(models.TextChoices):
    SAVINGS = "SAVINGS", _("Savings")
    CHECKING = "CHECKING", _("Checking")


class KeyType(models.TextChoices):
    PHONE = "PHONE", _("Phone")
    EMAIL = "EMAIL", _("E-mail")
    ALPHANUMERIC = "ALPHANUMERIC", _("Alphanumeric")
    ID = "ID", _("Document")
    BCODE = "BCODE", _("Merchant code")


class PayoutSwitch(SingleRow):
    """One row: whether payouts are sent at all."""

    is_enabled = models.BooleanField(_("payouts are enabled"), default=True)

    class Meta:
        verbose_name = _("payout switch")
        verbose_name_plural = _("payout switch")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="payout_switch_is_one")]
        triggers = [renews_catalogue()]


class PayoutMethod(Terms):
    """A row of the catalogue (contract, Payout catalog)."""

    method = models.CharField(_("method"), max_length=10, primary_key=True)
    label = models.CharField(_("label"), max_length=60)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices, unique=True)

    class Meta(Terms.Meta):
        verbose_name = _("payout method")
        verbose_name_plural = _("payout methods")
        triggers = [renews_catalogue()]

    def __str__(self) -> str:
        """The labels that the service begins with are words of ours."""
        return gettext(self.label) if self.label else self.method


class Bank(models.Model):
    """A bank that payouts reach. `codes` maps a rail to its code for the bank."""

    slug = models.SlugField(_("bankCanonicalId"), max_length=60, primary_key=True)
    name = models.CharField(_("name"), max_length=100)
    codes = models.JSONField(_("codes by rail"), default=dict)
    is_enabled = models.BooleanField(_("enabled"), default=True)

    class Meta:
        verbose_name = _("bank")
        verbose_name_plural = _("banks")
        triggers = [renews_catalogue()]

    def __str__(self) -> str:
        return self.name


class Payout(OutgoingPayment):
    ID_PREFIX = "po"
    REFERENCE_PREFIX = "por"

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    provider_reference = IdField(unique=True, default=partial(new_id, "por"), editable=False)
    # Fixed at the creation of a payout that is paid from USDT.
    rate = models.DecimalField(max_digits=36, decimal_places=18, null=True, blank=True)
    spread = models.DecimalField(max_digits=8, decimal_places=6, null=True, blank=True)

    recipient_name = models.CharField(_("beneficiary"), max_length=200)
    recipient_doc_type = models.CharField(_("document type"), max_length=3)
    recipient_doc_number = models.CharField(_("document number"), max_length=40)
    recipient_document = models.CharField(max_length=120, editable=False)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices)
    bank = models.ForeignKey(
        Bank, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("bank")
    )
    # The rail's code for the bank when the payout was created.
    bank_code = models.CharField(max_length=40, blank=True)
    account_type = models.CharField(max_length=10, choices=AccountType.choices, blank=True)
    account_number = models.CharField(_("account"), max_length=20, blank=True)
    key_type = models.CharField(max_length=15, choices=KeyType.choices, blank=True)
    key_value = models.CharField(_("key"), max_length=92, blank=True)
    description = models.CharField(_("description"), max_length=40, blank=True)
    # Of an operator, under the operators' rule for the account.
    needs_approval = models.BooleanField(_("waits for approval"), default=False)
    # Of people of the merchant. Only for requests of people (payments.payout.models.team).
    needs_team_approval = models.BooleanField(
        _("waits for the merchant's team"), default=False, db_default=False
    )
    # The merchant's own. Several payouts may have the same one.
    reference = models.CharField(
        _("reference"), max_length=100, blank=True, default="", db_default=""
    )
    # JSON text, returned as it was sent: with the same numbers and order of keys.
    metadata = models.TextField(default="{}", db_default="{}")

    class Meta(OutgoingPayment.Meta):
        verbose_name = _("payout")
        verbose_name_plural = _("payouts")
        indexes = [
            *OutgoingPayment.Meta.indexes,
            models.Index(
                fields=["created_at"],
                condition=Q(needs_operator=True) | Q(needs_approval=True),
                name="payout_exceptions",
            ),
            models.Index(
                fields=["merchant", "created_at"],
                condition=Q(needs_team_approval=True),
                name="payout_waits_for_team",
            ),
            models.Index(fields=["recipient_document"], name="payout_recipient_document"),
            models.Index(fields=["key_value"], condition=~Q(key_value=""), name="payout_key"),
        ]

    @property
    def rail(self) -> str:
        return self.network

    @property
    def public_network(self) -> str:
        """As the API writes it."""
        return self.network.lower()

    @property
    def is_held_back(self) -> bool:
        return self.needs_approval or self.needs_team_approval
