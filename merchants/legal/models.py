from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from merchants.legal import tax_ids
from merchants.models import Merchant


class LegalData(models.Model):
    """One row for a merchant that has given its data. All rows have a name and a NIT."""

    merchant = models.OneToOneField(
        Merchant, on_delete=models.PROTECT, primary_key=True, related_name="legal_data"
    )
    legal_name = models.CharField(_("legal name"), max_length=200)
    # Digits without the check digit, which follows from them.
    nit = models.CharField(max_length=10, validators=[RegexValidator(r"^[1-9]\d{5,9}\Z")])
    address = models.CharField(_("address"), max_length=200, blank=True, default="")
    city = models.CharField(_("city"), max_length=100, blank=True, default="")
    contact_email = models.EmailField(_("contact e-mail"), blank=True, default="")
    contact_phone = models.CharField(_("contact phone"), max_length=30, blank=True, default="")
    data_policy_url = models.URLField(_("data policy"), max_length=500, blank=True, default="")
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("legal data")
        verbose_name_plural = _("legal data")

    def __str__(self) -> str:
        return f"{self.legal_name}, NIT {self.nit_shown}"

    @property
    def nit_shown(self) -> str:
        """With dots and check digit: 900.123.456-8."""
        return tax_ids.shown(self.nit)

    @property
    def place(self) -> str:
        return ", ".join(part for part in (self.address, self.city) if part)
