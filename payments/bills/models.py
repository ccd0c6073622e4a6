"""Tables of bill payments: agreements, terms, payments. Amounts are pesos."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.bills.search_text import searchable_text
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.models import renews_catalogue
from payments.outgoing.models import OPEN, OutgoingPayment, SingleRow, Terms


class BillTerms(SingleRow, Terms):
    class Meta(Terms.Meta):
        verbose_name = _("terms of bill payments")
        verbose_name_plural = _("terms of bill payments")
        constraints = [
            *Terms.Meta.constraints,
            models.CheckConstraint(condition=Q(id=1), name="bill_terms_is_one"),
        ]
        triggers = [renews_catalogue()]


class Agreement(models.Model):
    """A biller whose bills can be paid (contract, Billing agreement).

    `codes` maps a rail to its code for the agreement; a rail without one does not reach it.
    """

    id = models.BigIntegerField(_("agreementId"), primary_key=True)
    name = models.CharField(_("name"), max_length=120)
    reference_label = models.CharField(_("what the reference means"), max_length=120)
    type = models.CharField(_("type"), max_length=60)
    codes = models.JSONField(_("codes by rail"), default=dict)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    # The text for the search. Collation C: bytes sort and compare fast.
    searchable = models.TextField(db_collation="C", editable=False)

    class Meta:
        verbose_name = _("agreement")
        verbose_name_plural = _("agreements")
        constraints = [models.CheckConstraint(condition=Q(id__gt=0), name="agreement_id_positive")]
        indexes = [
            # Pages are sorted by the searchable text, which begins with the name.
            models.Index(fields=["searchable", "id"], name="agreement_in_order"),
            # No fastupdate: the table is rarely written, and every search would have to read the
            # pending list.
            GinIndex(
                fields=["searchable"],
                opclasses=["gin_trgm_ops"],
                name="agreement_search",
                fastupdate=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.pk})"

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Updates the searchable text, which `bulk_create` does not."""
        self.index()
        if update_fields is not None:
            update_fields = {*update_fields, "searchable"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def index(self) -> None:
        self.searchable = searchable_text(name=self.name, kind=self.type, number=self.pk)


class BillPayment(OutgoingPayment):
    """A bill that a merchant pays from its balance (contract, Bill payment)."""

    ID_PREFIX = "bil"
    REFERENCE_PREFIX = "bor"

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    provider_reference = IdField(unique=True, default=partial(new_id, "bor"), editable=False)

    agreement = models.ForeignKey(
        Agreement, on_delete=models.PROTECT, db_index=False, verbose_name=_("agreement")
    )
    # Copies, so that a change of the catalogue does not change tickets.
    agreement_name = models.CharField(_("name of the agreement"), max_length=120)
    agreement_code = models.CharField(max_length=40)
    # As the merchant wrote it, and normalised: letters and digits only.
    bill_reference = models.CharField(_("reference of the bill"), max_length=100)
    bill_key = models.CharField(max_length=300, editable=False)
    code_record = models.CharField(_("code of the bill"), max_length=64)

    class Meta(OutgoingPayment.Meta):
        verbose_name = _("bill payment")
        verbose_name_plural = _("bill payments")
        constraints = [
            *OutgoingPayment.Meta.constraints,
            # One payment of a bill at a time (bill_payments._lock_bill waits before this).
            models.UniqueConstraint(
                fields=["provider", "agreement_code", "bill_key", "code_record"],
                condition=Q(status__in=OPEN),
                name="bill_under_way_once",
            ),
        ]
        indexes = [
            *OutgoingPayment.Meta.indexes,
            models.Index(
                fields=["created_at"], condition=Q(needs_operator=True), name="bill_exceptions"
            ),
            models.Index(
                fields=["provider", "agreement_code", "bill_key"], name="bill_of_reference"
            ),
            # The console's search for a reference without its biller.
            models.Index(fields=["bill_key"], name="bill_key"),
        ]

    @property
    def rail(self) -> str:
        return "BILL"
