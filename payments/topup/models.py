"""Tables of top-ups: mobile operators, terms, top-ups. Amounts are whole pesos."""

from functools import partial

from django.contrib.postgres.fields import ArrayField
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField, MoneyField
from payments.core.ids import new_id
from payments.core.models import renews_catalogue
from payments.outgoing.models import OutgoingPayment, SingleRow, Terms

# Our own drawings, in static/operators.
LOGO_OF_OTHERS = "other"


def logo_path(logo: str) -> str:
    return f"operators/{logo}.svg"


def check_logo(logo: str) -> None:
    """Raises ValidationError for a logo that is not in static/operators."""
    if finders.find(logo_path(logo)) is None:
        raise ValidationError(_("There is no logo of this name."))


class TopUpTerms(SingleRow, Terms):
    class Meta(Terms.Meta):
        verbose_name = _("terms of top-ups")
        verbose_name_plural = _("terms of top-ups")
        constraints = [
            *Terms.Meta.constraints,
            models.CheckConstraint(condition=Q(id=1), name="topup_terms_is_one"),
        ]
        triggers = [renews_catalogue()]


class Operator(models.Model):
    """A mobile operator whose phones are topped up (contract, Top-up operator).

    `codes` maps a rail to its code for the operator; a rail without one does not reach it. Its
    limits apply together with those of the terms. With `allowed_amounts` only these amounts are
    sold.
    """

    code = models.SlugField(_("operatorCode"), max_length=40, primary_key=True)
    name = models.CharField(_("name"), max_length=60)
    logo = models.CharField(
        _("logo"),
        max_length=40,
        default=LOGO_OF_OTHERS,
        validators=[RegexValidator(r"\A[a-z0-9-]+\Z"), check_logo],
    )
    min_amount = MoneyField(_("minimum"), null=True, blank=True, validators=[MinValueValidator(0)])
    max_amount = MoneyField(_("maximum"), null=True, blank=True, validators=[MinValueValidator(1)])
    allowed_amounts = ArrayField(
        models.PositiveIntegerField(validators=[MinValueValidator(1)]),
        verbose_name=_("amounts that are sold"),
        default=list,
        blank=True,
        help_text=_("Whole pesos. Empty: any amount within the limits."),
    )
    codes = models.JSONField(_("codes by rail"), default=dict)
    is_enabled = models.BooleanField(_("enabled"), default=True)

    class Meta:
        verbose_name = _("mobile operator")
        verbose_name_plural = _("mobile operators")
        constraints = [
            models.CheckConstraint(
                condition=Q(min_amount__isnull=True)
                | Q(max_amount__isnull=True)
                | Q(min_amount__lte=F("max_amount")),
                name="operator_limits_in_order",
                violation_error_message=_("The minimum is above the maximum."),
            )
        ]
        triggers = [renews_catalogue()]

    def __str__(self) -> str:
        return self.name


class TopUp(OutgoingPayment):
    """Credit that a merchant buys for a phone (contract, Top-up)."""

    ID_PREFIX = "top"
    REFERENCE_PREFIX = "tor"

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    provider_reference = IdField(unique=True, default=partial(new_id, "tor"), editable=False)

    operator = models.ForeignKey(
        Operator, on_delete=models.PROTECT, db_index=False, verbose_name=_("operator")
    )
    # Copies, so that a change of the catalogue does not change tickets.
    operator_name = models.CharField(_("name of the operator"), max_length=60)
    rail_code = models.CharField(max_length=40)
    phone = models.CharField(_("phone"), max_length=10)

    class Meta(OutgoingPayment.Meta):
        verbose_name = _("top-up")
        verbose_name_plural = _("top-ups")
        constraints = [
            *OutgoingPayment.Meta.constraints,
            models.CheckConstraint(
                condition=Q(phone__regex=r"^3[0-9]{9}$"), name="topup_phone_is_mobile"
            ),
        ]
        indexes = [
            *OutgoingPayment.Meta.indexes,
            models.Index(
                fields=["created_at"], condition=Q(needs_operator=True), name="topup_exceptions"
            ),
            models.Index(fields=["phone"], name="topup_phone"),
        ]

    @property
    def rail(self) -> str:
        return "TOPUP"
