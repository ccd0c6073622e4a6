"""Tables of merchants: accounts, keys, members, and what is enabled for an account."""

import hashlib
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar, TypedDict

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from merchants import brand
from payments.core.fields import EncryptedTextField, IdField, MoneyField
from payments.core.ids import new_id
from webhooks import catalogue


class Currency(models.TextChoices):
    """Currencies of a collection order (contract, Collection order)."""

    COP = "COP", _("Colombian peso")
    USDT = "USDT", "Tether USDT"
    USDC = "USDC", "USD Coin"
    BTC = "BTC", "Bitcoin"
    ETH = "ETH", "Ether"


class Method(models.TextChoices):
    """Payment methods of the hosted page (contract, Collection order)."""

    PSE = "PSE", "PSE"
    BANK_TRANSFER = "BANK_TRANSFER", _("Bank transfer")
    CRYPTO = "CRYPTO", _("Crypto")


class Permission(models.TextChoices):
    """What an API key may hold beyond reading and collecting (contract, Authentication 5)."""

    PAYOUT_CREATE = "payout:create", _("Create payouts")
    WEBHOOK_MANAGE = "webhook:manage", _("Manage webhook endpoints")


def optional_event_choices() -> list[tuple[str, str]]:
    """A function, so that a new kind of event needs no migration."""
    return catalogue.optional_choices()


def optional_event_words() -> list[tuple[str, str]]:
    """The same kinds, each with what happened, in the language of the person."""
    kinds = [kind for kind, _code in catalogue.optional_choices()]
    return [(kind, catalogue.words_of(kind)) for kind in kinds]


def fixed_event_words() -> list[tuple[str, str]]:
    """The kinds that every account gets."""
    kinds = catalogue.kinds(catalogue.Sent.ALWAYS)
    return [(kind, catalogue.words_of(kind)) for kind in kinds]


def _choices_array(choices: Any, **options: object) -> ArrayField:
    element = models.CharField(max_length=40, choices=choices)
    return ArrayField(element, blank=True, **options)  # type: ignore[arg-type]


def _every_currency() -> list[str]:
    return list(Currency.values)


def _every_method() -> list[str]:
    return list(Method.values)


class Logo(models.Model):
    """For the payer's page. The key is a digest of the content.

    Rows are never changed or deleted, so that browsers may cache the URL for ever.
    """

    sha256 = models.CharField(primary_key=True, max_length=64, editable=False)
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    content = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")

    def __str__(self) -> str:
        return f"{self.width} x {self.height}"

    @property
    def url(self) -> str:
        return f"/brand/logo/{self.pk}"


# Of each payment, whatever else the merchant has chosen (the contract, Webhooks).
ALWAYS_REPORTED = ("payment.completed", "payment.failed")


class Merchant(models.Model):
    id = IdField(primary_key=True, default=partial(new_id, "mer"), editable=False)
    name = models.CharField(_("name"), max_length=200)
    email = models.EmailField(_("email"), blank=True)
    is_active = models.BooleanField(_("active"), default=True)

    payout_enabled = models.BooleanField(_("payouts by API"), default=False)
    topup_enabled = models.BooleanField(_("top-ups by API"), default=False)
    bills_enabled = models.BooleanField(_("bill payments by API"), default=False)
    direct_api_enabled = models.BooleanField(_("Direct API"), default=False)
    # Payers of a refused order may start a sibling of it. Orders of payment links always have it.
    retry_enabled = models.BooleanField(
        _("payers may try again after a refusal"), default=False, db_default=False
    )
    receipts_by_mail = models.BooleanField(
        _("receipts go to payers by mail"), default=False, db_default=False
    )
    # Else they are ignored, and named in a header of the answer.
    refuses_unknown_fields = models.BooleanField(
        _("requests with unknown fields are refused"), default=False, db_default=False
    )
    # Else POST /collect requires the customer's document.
    document_by_payer = models.BooleanField(
        _("orders may leave the document to the payment page"), default=False, db_default=False
    )
    currencies = _choices_array(
        Currency.choices, default=_every_currency, verbose_name=_("currencies")
    )
    methods = _choices_array(
        Method.choices, default=_every_method, verbose_name=_("payment methods")
    )
    event_kinds = _choices_array(
        optional_event_choices,
        default=list,
        verbose_name=_("event kinds beyond completed and failed"),
    )

    # A payout above this amount needs approval by a second person. Without it no payout does.
    payout_approval_above = MoneyField(
        _("payouts above this wait for approval"), null=True, blank=True
    )
    payout_approval_set_by = models.CharField(max_length=150, blank=True, editable=False)

    # The colour of the payer's page. Without it the page has the colours of the service.
    brand_color = models.CharField(
        _("colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z", _("Six hexadecimal digits: #0a7a66."))],
    )
    logo = models.ForeignKey(
        Logo, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("logo")
    )

    # What the further webhook endpoints that are on take (webhooks.endpoints keeps it), so that
    # publishing an event needs no query to learn whether one does.
    endpoint_kinds = ArrayField(
        models.CharField(max_length=60), default=list, db_default=[], editable=False
    )
    webhook_url = models.CharField(_("webhook URL"), max_length=2000, blank=True)
    webhook_secret = EncryptedTextField(_("webhook secret"), editable=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("merchant")
        verbose_name_plural = _("merchants")

    def __str__(self) -> str:
        return self.name

    @property
    def takes_events(self) -> bool:
        """Whether payments are reported: to the URL of the account, or all of it to endpoints."""
        wanted = {*ALWAYS_REPORTED, *self.event_kinds}
        return bool(self.webhook_url) or wanted <= set(self.endpoint_kinds)

    @property
    def brand_stylesheet(self) -> str:
        """The path of the stylesheet. Empty without a colour."""
        colour = self.brand_color.removeprefix("#")
        return f"/brand/{brand.STYLESHEET_VERSION}/{colour}.css" if colour else ""

    # For DRF's IsAuthenticated, whose user is our merchant.
    is_authenticated: ClassVar[bool] = True


# The switches that are off in a new account. create_merchant --enable uses these names without the
# ending.
SWITCHES = [field.name for field in Merchant._meta.fields if field.name.endswith("_enabled")]
SWITCH_HELP = {
    "payout_enabled": _("Its system may send payouts: POST /payout."),
    "topup_enabled": _("Its system may top up mobile phones: POST /topup."),
    "bills_enabled": _("Its system may pay bills: POST /bills/pay."),
    "direct_api_enabled": _(
        "Its own page asks for the bank or shows the account; the payer sees none of ours."
    ),
    "retry_enabled": _("After a refusal the payer may pay again, without a new order."),
}


class MerchantFields(TypedDict, total=False):
    """The fields that services may change.

    Secrets are not among them: see regenerate_webhook_secret.
    """

    name: str
    email: str
    is_active: bool
    payout_enabled: bool
    topup_enabled: bool
    bills_enabled: bool
    direct_api_enabled: bool
    retry_enabled: bool
    refuses_unknown_fields: bool
    document_by_payer: bool
    receipts_by_mail: bool
    currencies: list[str]
    methods: list[str]
    event_kinds: list[str]
    payout_approval_above: Decimal | None
    webhook_url: str
    brand_color: str
    logo_id: str | None


class ApiKey(models.Model):
    """A key pair. The secret is shown once; the table has its SHA-256 hash."""

    id = IdField(primary_key=True, default=partial(new_id, "key"), editable=False)
    merchant = models.ForeignKey(
        Merchant, on_delete=models.PROTECT, related_name="api_keys", verbose_name=_("merchant")
    )
    public_key = models.CharField(_("X-Api-Key"), max_length=64, unique=True, editable=False)
    secret_hash = models.BinaryField(max_length=32, editable=False)
    permissions = _choices_array(Permission.choices, default=list, verbose_name=_("permissions"))
    label = models.CharField(_("label"), max_length=100, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return self.public_key


class Membership(models.Model):
    """A person who may log in to the merchant's part of the console."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    merchant = models.ForeignKey(Merchant, on_delete=models.CASCADE, related_name="memberships")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("person of the team")
        verbose_name_plural = _("people of the team")
        constraints = [models.UniqueConstraint(fields=["user", "merchant"], name="membership_once")]

    def __str__(self) -> str:
        return str(self.user)


def hash_secret(secret: str) -> bytes:
    """A fast hash is enough for 256 random bits. A slow one would take 200 ms a request."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
