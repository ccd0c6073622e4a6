"""Tables of provider accounts. Credentials are encrypted, and no page shows them again."""

import re
from typing import ClassVar

import pgtrigger
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from payments.core import states
from payments.core.fields import EncryptedTextField, IdField, MoneyField
from payments.core.models import renews_catalogue
from payments.core.products import ProductDeclaration, products
from payments.providers.ports import Known

# The form of RailDeclaration.code, because the slug is stored with payments and is part of URLs.
SLUG_PATTERN = re.compile(r"\A[a-z][a-z0-9-]{0,29}\Z")
SLUG = RegexValidator(SLUG_PATTERN, _("Lower-case letters, digits and dashes."))


class AtRail(models.Model):
    """What a charge or an outgoing payment keeps of its rail. It has no table of its own.

    The defaults in the database are for processes of the previous release.
    """

    provider_id: "models.CharField[str, str]"

    # The adapter's: ids and tokens of the rail's calls so far (`save` of the request). Without
    # secrets of the account.
    provider_state = models.JSONField(default=dict, db_default={}, blank=True)
    # Our reference in the shape that the rail takes; a WireReference. Empty: the rail takes ours.
    wire_reference = models.CharField(
        _("reference at the rail"), max_length=100, blank=True, default="", db_default=""
    )
    # What the rail keeps for itself, in COP. Null: not known.
    provider_fee = MoneyField(_("fee of the rail"), null=True, blank=True)
    # A list of {"name", "amount"}: taxes on that fee, in COP.
    provider_taxes = models.JSONField(
        _("taxes of the rail"), default=list, db_default=[], blank=True
    )

    class Meta:
        abstract = True

    @property
    def own_reference(self) -> str:
        raise NotImplementedError

    @property
    def reference_at_rail(self) -> str:
        return self.wire_reference or self.own_reference

    @property
    def known(self) -> Known:
        """For a query."""
        return Known(
            reference=self.reference_at_rail,
            provider_id=self.provider_id,
            state=self.provider_state,
        )


class WireReference(models.Model):
    """A reference in the shape of a rail, and the one of ours that it stands for.

    One account never gets the same one twice, whatever the product. A payment that moves to another
    account gets another one there, and keeps this one: money may still arrive under it.
    """

    id = models.BigAutoField(primary_key=True)
    account = models.CharField(max_length=40)
    wire_reference = models.CharField(max_length=100, db_collation="C")
    # Of the charge, or the `provider_reference` of the outgoing payment.
    reference = IdField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["wire_reference", "account"], name="wire_reference_once"
            ),
            models.UniqueConstraint(fields=["reference", "account"], name="wire_reference_of_ours"),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.wire_reference


class FormerState(models.Model):
    """What the adapter had saved of a payment when it moved to another account.

    The account that it left may be queried about it later, and some rails need this for a query.
    """

    id = models.BigAutoField(primary_key=True)
    account = models.CharField(max_length=40)
    # As in WireReference.
    reference = IdField()
    state = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reference", "account"], name="former_state_once"),
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.reference} at {self.account}"


class AccountStatus(models.TextChoices):
    """REQUESTED: one person switched on a live account, and another person has to approve it."""

    OFF = "OFF", _("Off")
    REQUESTED = "REQUESTED", _("Waits for approval")
    ON = "ON", _("On")


ACCOUNT_MOVES: states.Moves = {
    AccountStatus.OFF: frozenset({AccountStatus.REQUESTED, AccountStatus.ON}),
    AccountStatus.REQUESTED: frozenset({AccountStatus.OFF, AccountStatus.ON}),
    AccountStatus.ON: frozenset({AccountStatus.OFF}),
}


class ProviderAccount(models.Model):
    """One contract with a provider. Never deleted, only switched off, because payments name it."""

    Status = AccountStatus
    MOVES: ClassVar[states.Moves] = ACCOUNT_MOVES

    class Mode(models.TextChoices):
        """The values of payments.providers.account.Mode."""

        SANDBOX = "SANDBOX", _("Sandbox: play money")
        LIVE = "LIVE", _("Live: real money")

    slug = models.CharField(_("name in URLs"), max_length=30, primary_key=True, validators=[SLUG])
    provider = models.CharField(_("provider"), max_length=30)
    label = models.CharField(_("label"), max_length=60)
    mode = models.CharField(_("mode"), max_length=10, choices=Mode.choices)
    status = models.CharField(
        _("status"), max_length=10, choices=AccountStatus.choices, default=AccountStatus.OFF
    )
    # JSON objects, keyed by the names in the provider's declaration.
    credentials = EncryptedTextField()
    # Callbacks may be signed with these credentials until `previous_until`.
    previous_credentials = EncryptedTextField(blank=True)
    previous_until = models.DateTimeField(_("old credentials count until"), null=True, blank=True)
    # A new set for a live account. It counts when a second person has approved it.
    requested_credentials = EncryptedTextField(blank=True, default="", db_default="")
    # Whether the old set is refused as soon as the new one counts: its secret leaked.
    refuses_old = models.BooleanField(default=False, db_default=False)
    # Who entered the newest set.
    credentials_by = models.CharField(
        _("credentials entered by"), max_length=150, blank=True, default="", db_default=""
    )
    # Of the set and the address that a second person approved. Empty: never approved.
    approved_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    # The address of the rail. Empty: the provider's own address for the mode.
    base_url = models.URLField(_("address"), max_length=200, blank=True)
    # Of its entry in the deployment's declaration (declarations.py). Empty: an operator entered it.
    declared_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    requested_by = models.CharField(_("switched on by"), max_length=150, blank=True)
    approved_by = models.CharField(_("approved by"), max_length=150, blank=True)
    # In pesos. Empty: settings.RAIL_BALANCE_RESERVE.
    alarm_below = MoneyField(_("alarm below"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("provider account")
        verbose_name_plural = _("provider accounts")
        constraints = [
            # This also stops code outside the services from switching on real money without two
            # persons.
            models.CheckConstraint(
                condition=~Q(mode="LIVE", status="ON")
                | (
                    ~Q(requested_by="")
                    & ~Q(approved_by="")
                    & ~Q(approved_by=models.F("requested_by"))
                ),
                name="live_account_has_two_persons",
            ),
        ]
        triggers = [
            states.guard(ACCOUNT_MOVES),
            pgtrigger.Protect(name="keep", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.slug})"


class AccountBalance(models.Model):
    """How much an account of a rail has left to pay with, in pesos, as its rail last told."""

    account = models.OneToOneField(
        ProviderAccount, on_delete=models.PROTECT, primary_key=True, related_name="balance"
    )
    # Null while the rail has never told.
    amount = MoneyField(_("balance"), null=True)
    read_at = models.DateTimeField(_("read at"), null=True)
    # The alarm's amount and the payouts that waited to be sent.
    needed = MoneyField(_("needed"))
    is_low = models.BooleanField(_("balance too low"), default=False)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)


class KeyCheck(models.Model):
    """What a rail last told of the instant key of a payout or a refund."""

    class Result(models.TextChoices):
        """UNRESOLVED: the rail did not answer, which says nothing of the key."""

        FOUND = "FOUND", _("Resolved")
        NOT_FOUND = "NOT_FOUND", _("The rail knows no such key")
        CLOSED = "CLOSED", _("The key takes no money")
        UNRESOLVED = "UNRESOLVED", _("Not resolved")

    subject_id = IdField(primary_key=True)
    account = models.CharField(max_length=30)
    # Of account and key: another key of the same payment was not checked.
    digest = models.CharField(max_length=64)
    result = models.CharField(max_length=10, choices=Result.choices)
    # Masked by the rail.
    holder_name = models.CharField(max_length=100, blank=True)
    bank_name = models.CharField(max_length=100, blank=True)
    checked_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)


def product_choices() -> list[tuple[str, str]]:
    """A function, so that a new product needs no migration."""
    outgoing = [(one.name, capfirst(str(_plural(one)))) for one in products()]
    return [("payin", capfirst(gettext("collections"))), *outgoing]


def _plural(product: ProductDeclaration) -> str | Promise:
    """The plural of the model. The plural of the declaration is for the documents of the API."""
    model: type[models.Model] = import_string(product.engine).product.model
    return model._meta.verbose_name_plural or product.plural


class Route(models.Model):
    """Chooses the account.

    Of the matching routes, the one with the lowest priority number counts.
    """

    id = models.BigAutoField(primary_key=True)
    product = models.CharField(_("product"), max_length=20, choices=product_choices)
    # A method of collections, a direct method, or a network of payouts. Empty: all of them.
    method = models.CharField(_("method or network"), max_length=60, blank=True)
    currency = models.CharField(_("currency"), max_length=4, blank=True)
    merchant = models.ForeignKey(
        "merchants.Merchant",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("merchant"),
    )
    min_amount = MoneyField(_("from amount"), null=True, blank=True)
    max_amount = MoneyField(_("to amount"), null=True, blank=True)
    # The slug of an account, or the code of a rail that needs none.
    account = models.CharField(_("account"), max_length=30)
    priority = models.PositiveSmallIntegerField(_("priority"), default=100)
    is_enabled = models.BooleanField(_("enabled"), default=True)
    # Name and digest of its entry in the deployment's declaration. Empty: an operator entered it.
    declared_as = models.CharField(
        _("name in the declaration"), max_length=30, blank=True, default="", db_default=""
    )
    declared_digest = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        verbose_name = pgettext_lazy("of payments", "route")
        verbose_name_plural = _("routes")
        indexes = [models.Index(fields=["product", "priority", "id"], name="route_order")]
        constraints = [
            models.UniqueConstraint(
                fields=["declared_as"],
                condition=~Q(declared_as=""),
                name="route_is_declared_once",
            ),
        ]
        triggers = [renews_catalogue()]

    def __str__(self) -> str:
        return f"{self.product} {self.method or '*'} -> {self.account}"


class ChangeStatus(models.TextChoices):
    REQUESTED = "REQUESTED", _("Waits for approval")
    APPROVED = "APPROVED", _("Approved")
    REJECTED = "REJECTED", _("Rejected")


CHANGE_MOVES: states.Moves = {
    ChangeStatus.REQUESTED: frozenset({ChangeStatus.APPROVED, ChangeStatus.REJECTED}),
    ChangeStatus.APPROVED: frozenset(),
    ChangeStatus.REJECTED: frozenset(),
}


class RouteChange(models.Model):
    """A new or changed route for real money. It counts after a second person approved it."""

    Status = ChangeStatus
    MOVES: ClassVar[states.Moves] = CHANGE_MOVES

    id = models.BigAutoField(primary_key=True)
    # Empty: a new route, which exists from the approval on.
    route = models.ForeignKey(
        Route,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="changes",
        verbose_name=pgettext_lazy("of payments", "route"),
    )
    # All fields of the route as they shall be (services/route_changes.py).
    values = models.JSONField()
    status = models.CharField(
        _("status"),
        max_length=10,
        choices=ChangeStatus.choices,
        default=ChangeStatus.REQUESTED,
    )
    reason = models.CharField(_("reason"), max_length=500)
    requested_by = models.CharField(_("requested by"), max_length=150)
    requested_at = models.DateTimeField(_("requested at"))
    decided_by = models.CharField(_("decided by"), max_length=150, blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        verbose_name = _("change of a route")
        verbose_name_plural = _("changes of routes")
        constraints = [
            models.UniqueConstraint(
                fields=["route"],
                condition=Q(status="REQUESTED"),
                name="route_waits_for_one_change",
            ),
            models.CheckConstraint(
                condition=~Q(status="APPROVED")
                | (~Q(decided_by="") & ~Q(decided_by=models.F("requested_by"))),
                name="route_change_has_two_persons",
            ),
        ]
        triggers = [states.guard(CHANGE_MOVES)]

    def __str__(self) -> str:
        return f"{self.values.get('product')} -> {self.values.get('account')}"
