"""The form of a link: with it operators and people of merchants make links and change them."""

import json
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from merchants import images, services
from merchants.models import Currency, Merchant
from payments.api.fields import is_browser_url
from payments.console.widgets import DayAndHourField, FileWidget
from payments.core import money
from payments.links.amounts import AmountField
from payments.links.models import (
    COUNT_MAX,
    DESCRIPTION_LENGTH,
    LABEL_LENGTH,
    OWN_FIELDS_MAX,
    TITLE_LENGTH,
    Asked,
    PaymentLink,
)
from payments.links.services.rules import LinkFields

FIXED, OPEN = "FIXED", "OPEN"
ONE, SEVERAL, ANY = "ONE", "SEVERAL", "ANY"
ASKED = ("name", "email", "document", "phone")


def _text(**attributes: Any) -> UnfoldAdminTextInputWidget:
    return UnfoldAdminTextInputWidget(attrs=attributes)


def _example() -> str:
    return money.grouped("50000")


def _amount(label: Any, **options: Any) -> AmountField:
    widget = _text(inputmode="decimal", autocomplete="off", placeholder=lazy(_example, str)())
    return AmountField(label=label, required=False, widget=widget, **options)


def _count(label: Any, least: int, **options: Any) -> forms.IntegerField:
    widget = UnfoldAdminIntegerFieldWidget(attrs={"inputmode": "numeric", "aria-label": label})
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=least,
        max_value=COUNT_MAX,
        widget=widget,
        **options,
    )


class ChosenField(forms.ChoiceField):
    """Always has a choice, so that the form does not mark it as one to fill in."""

    def __init__(self, *, initial: str, **options: Any) -> None:
        super().__init__(initial=initial, required=False, **options)

    def clean(self, value: Any) -> Any:
        return super().clean(value or self.initial)


def _asked(label: Any, initial: Asked) -> forms.ChoiceField:
    return ChosenField(
        label=label, choices=Asked.choices, initial=initial, widget=UnfoldAdminSelectWidget()
    )


class MerchantChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} ({obj.pk})"


class LinkForm(forms.Form):
    """The amounts of people: `50.000` is fifty thousand. Times are those of Bogotá."""

    merchant = MerchantChoice(
        label=_("Merchant"), queryset=Merchant.objects.none(), widget=UnfoldAdminSelectWidget()
    )
    title = forms.CharField(
        label=_("What is paid"),
        max_length=TITLE_LENGTH,
        widget=_text(autocomplete="off"),
        help_text=_("The payer reads it first: Coffee of Nariño, 2 pounds."),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=DESCRIPTION_LENGTH,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )
    kind = ChosenField(
        label=_("Amount"),
        choices=[(FIXED, _("Fixed")), (OPEN, _("The payer chooses"))],
        initial=FIXED,
        widget=UnfoldAdminRadioSelectWidget(),
    )
    currency = ChosenField(
        label=_("Currency"),
        choices=Currency.choices,
        initial=money.FIAT,
        widget=UnfoldAdminSelectWidget(),
    )
    amount = _amount(_("You receive"), help_text=_("The payer pays the service fee on top."))
    min_amount = _amount(_("Minimum"))
    max_amount = _amount(_("Maximum"))
    image_file = forms.FileField(
        label=_("Image"),
        required=False,
        widget=FileWidget(
            {"accept": "image/png,image/jpeg,image/webp", "data-shrink": ""}, is_image=True
        ),
        help_text=_(
            "PNG, JPEG or WebP. A picture above 64 KB or 1024 pixels a side is made smaller before "
            "it is sent."
        ),
    )
    remove_image = forms.BooleanField(
        label=_("Take the image away"), required=False, widget=UnfoldBooleanWidget()
    )
    ask_name = _asked(_("Name"), Asked.REQUIRED)
    ask_email = _asked(_("E-mail"), Asked.REQUIRED)
    ask_document = _asked(_("Document"), Asked.NONE)
    ask_phone = _asked(_("Mobile phone"), Asked.NONE)
    uses = ChosenField(
        label=_("How many times can it be paid?"),
        choices=[(ANY, _("Any number of times")), (ONE, _("Once")), (SEVERAL, _("At most"))],
        initial=ANY,
        widget=UnfoldAdminRadioSelectWidget(),
    )
    max_uses = _count(_("Payments at most"), 1)
    stock = _count(
        _("Pieces in stock"),
        0,
        help_text=_("Only if what you sell can run out. Count those already sold, too."),
    )
    expires = DayAndHourField(
        label=_("Expires at"),
        required=False,
        help_text=_("Time of Bogotá. Without a day it does not expire."),
    )
    callback_url = forms.CharField(
        label=_("Page to go back to"),
        max_length=2000,
        required=False,
        widget=_text(inputmode="url", spellcheck="false", placeholder="https://"),
        help_text=_("Where the payer's browser goes then. Empty: the receipt is the last page."),
    )

    def __init__(
        self,
        *args: Any,
        merchants: list[str] | None,
        link: PaymentLink | None = None,
        **options: Any,
    ) -> None:
        """`merchants` are those of the user; None for operators, who see all."""
        super().__init__(*args, **options)
        self.link = link
        self._add_own_fields()
        offered = Merchant.objects.filter(is_active=True).order_by("name").defer("webhook_secret")
        if merchants is not None:
            offered = offered.filter(pk__in=merchants)
        self.of = link.merchant if link else self._only(offered, merchants)
        if self.of is None:
            cast(Any, self.fields["merchant"]).queryset = offered
        else:
            del self.fields["merchant"]
        self._narrow()

    def _only(self, offered: Any, merchants: list[str] | None) -> Merchant | None:
        return offered.first() if merchants is not None and len(merchants) == 1 else None

    def _narrow(self) -> None:
        """Of an account with pesos only, the form asks for no currency."""
        if self.link or (self.of and list(self.of.currencies) == [money.FIAT]):
            del self.fields["currency"]
        if self.link is None or self.link.image is None:
            del self.fields["remove_image"]
        if self.link is not None:
            del self.fields["kind"]
            gone = ("amount",) if self.link.is_open_amount else ("min_amount", "max_amount")
            for name in gone:
                del self.fields[name]

    def _clean_fields(self) -> None:
        """Amounts are read in the currency that the form has chosen."""
        typed = self.data.get(self.add_prefix("currency")) if self.is_bound else None
        currency = self.link.currency if self.link else typed
        for name in ("amount", "min_amount", "max_amount"):
            if name in self.fields:
                cast(AmountField, self.fields[name]).currency = currency or money.FIAT
        super()._clean_fields()  # type: ignore[misc]

    def _add_own_fields(self) -> None:
        for number in range(OWN_FIELDS_MAX):
            label = gettext("Question %(number)s") % {"number": number + 1}
            self.fields[f"own_label_{number}"] = forms.CharField(
                label=label, max_length=LABEL_LENGTH, required=False, widget=_text()
            )
            self.fields[f"own_required_{number}"] = forms.BooleanField(
                label=_("Required"), required=False, widget=UnfoldBooleanWidget()
            )

    @property
    def own(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        numbers = range(OWN_FIELDS_MAX)
        return [(self[f"own_label_{n}"], self[f"own_required_{n}"]) for n in numbers]

    @property
    def is_asking_more(self) -> bool:
        """Whether the part of the page with the questions is open."""
        names = [f"ask_{name}" for name in ASKED] + [
            f"own_label_{n}" for n in range(OWN_FIELDS_MAX)
        ]
        return any(name in self.errors for name in names) if self.is_bound else False

    @property
    def is_limiting(self) -> bool:
        names = {"uses", "max_uses", "stock", "expires"}
        return self.is_bound and not names.isdisjoint(self.errors)

    @property
    def currency_of(self) -> str:
        if self.link is not None:
            return self.link.currency
        return str(self.cleaned_data.get("currency") or money.FIAT)

    def clean_image_file(self) -> bytes | None:
        file: UploadedFile | None = self.cleaned_data["image_file"]
        if file is None:
            return None
        content: bytes = file.read(images.MAX_BYTES + 1)
        try:
            return images.rewritten(content)
        except images.WrongPicture as error:
            raise ValidationError(gettext(str(error))) from error

    def clean_callback_url(self) -> str | None:
        url: str = self.cleaned_data["callback_url"].strip()
        if url and not is_browser_url(url):
            raise ValidationError(gettext("Write an address that begins with https://."))
        return url or None

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        is_fixed = self._is_fixed(data)
        if is_fixed and "amount" not in self.errors and data.get("amount") is None:
            self.add_error("amount", gettext("Enter the amount."))
        if (
            data.get("uses") == SEVERAL
            and not data.get("max_uses")
            and "max_uses" not in self.errors
        ):
            self.add_error("max_uses", gettext("Write how many times."))
        return data

    def values(self) -> LinkFields:
        """For the service."""
        data = self.cleaned_data
        found: dict[str, Any] = {
            name: data[name] for name in ("title", "description", "stock", "callback_url")
        }
        found |= {f"ask_{name}": data[f"ask_{name}"] for name in ASKED}
        found |= self._amounts(data)
        found["expires_at"] = data["expires"]
        found["max_uses"] = {ONE: 1, SEVERAL: data["max_uses"]}.get(data["uses"])
        found["own_fields"] = [
            {"label": label.strip(), "required": data[f"own_required_{number}"]}
            for number in range(OWN_FIELDS_MAX)
            if (label := data[f"own_label_{number}"])
        ]
        if content := data["image_file"]:
            found["image_id"] = services.keep_logo(content=content).pk
        elif data.get("remove_image"):
            found["image_id"] = None
        return cast(LinkFields, found)

    def _is_fixed(self, data: dict[str, Any]) -> bool:
        return not self.link.is_open_amount if self.link else data.get("kind") == FIXED

    def _amounts(self, data: dict[str, Any]) -> dict[str, Any]:
        if self._is_fixed(data):
            return {"amount": data["amount"]}
        return {"min_amount": data.get("min_amount"), "max_amount": data.get("max_amount")}


def preview_of(form: LinkForm) -> dict[str, object]:
    """What static/links/preview.js needs to compute the payer's total as the server does."""
    thousands, point = money.signs()
    currency = form.link.currency if form.link else money.FIAT
    exponents = {code: money.quantum(code).as_tuple().exponent for code in Currency.values}
    return {
        "rate": money.text(settings.COLLECT_FEE_RATE),
        "units": json.dumps({code: -int(exponent) for code, exponent in exponents.items()}),
        "thousands": thousands,
        "point": point,
        "currency": currency,
        "is_open": form.link is not None and form.link.is_open_amount,
        "none": money.shown(Decimal(0), currency),
    }


def initial_of(link: PaymentLink) -> dict[str, object]:
    several = ONE if link.max_uses == 1 else SEVERAL
    own = {
        f"own_{part}_{number}": field[part]
        for number, field in enumerate(link.own_fields)
        for part in ("label", "required")
    }
    return {
        "title": link.title,
        "description": link.description,
        "amount": link.amount,
        "min_amount": link.min_amount,
        "max_amount": link.max_amount,
        **{f"ask_{name}": getattr(link, f"ask_{name}") for name in ASKED},
        **own,
        "uses": ANY if link.max_uses is None else several,
        "max_uses": link.max_uses,
        "stock": link.stock,
        "expires": _local(link.expires_at),
        "callback_url": link.callback_url or "",
    }


def _local(moment: datetime | None) -> datetime | None:
    return localtime(moment).replace(second=0, microsecond=0) if moment else None
