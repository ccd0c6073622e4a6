"""The people and companies that a merchant pays, with where their money goes."""

from functools import partial

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.payout.models.payouts import AccountType, Bank, KeyType, Network


class Beneficiary(models.Model):
    """Archived instead of deleted. Fields of the destination are as in a payout."""

    id = IdField(primary_key=True, default=partial(new_id, "ben"), editable=False)
    merchant = models.ForeignKey(
        Merchant, models.PROTECT, db_index=False, related_name="+", verbose_name=_("merchant")
    )
    name = models.CharField(_("name"), max_length=200)
    doc_type = models.CharField(_("document type"), max_length=3)
    doc_number = models.CharField(_("document number"), max_length=40)
    # Letters and digits only, as in Payout.recipient_document.
    document = models.CharField(max_length=120, editable=False)
    network = models.CharField(_("network"), max_length=10, choices=Network.choices)
    bank = models.ForeignKey(
        Bank, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("bank")
    )
    account_type = models.CharField(max_length=10, choices=AccountType.choices, blank=True)
    account_number = models.CharField(_("account"), max_length=20, blank=True)
    key_type = models.CharField(max_length=15, choices=KeyType.choices, blank=True)
    key_value = models.CharField(_("key"), max_length=92, blank=True)
    # The destination in one text, so that one constraint finds the same one twice.
    place = models.CharField(max_length=200, editable=False)
    created_by = models.CharField(_("made by"), max_length=150)
    # The payout from which it was remembered. Empty: made by hand.
    from_payout = IdField(blank=True, default="")
    place_changed_at = models.DateTimeField(_("account changed"), null=True, blank=True)
    place_changed_by = models.CharField(max_length=150, blank=True)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("beneficiary")
        verbose_name_plural = _("beneficiaries")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "document", "place"],
                condition=Q(archived_at=None),
                name="beneficiary_once",
            )
        ]
        indexes = [models.Index(fields=["merchant", "name"], name="beneficiary_by_name")]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.name


class BeneficiaryChange(models.Model):
    """What a person changed. `before` and `after` have the changed fields, unmasked."""

    class Kind(models.TextChoices):
        CREATED = "CREATED", _("Made")
        PLACE = "PLACE", _("Changed the account or key")
        DETAILS = "DETAILS", _("Changed the name or document")
        ARCHIVED = "ARCHIVED", _("Archived")
        RESTORED = "RESTORED", _("Taken out of the archive")

    id = models.BigAutoField(primary_key=True)
    beneficiary = models.ForeignKey(Beneficiary, models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    person = models.CharField(max_length=150)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.beneficiary_id} {self.kind}"
