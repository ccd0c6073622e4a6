"""The part of a merchant's form for the colour and the logo of its payers' page."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from merchants import brand, images, services
from merchants.models import Merchant, MerchantFields
from payments.console.actions import Cleaned
from payments.console.widgets import FileWidget

FIELDS = ["brand_color", "brand_picker", "logo_shown", "logo_file", "remove_logo"]
# The panel of the payer's page without a colour of the merchant.
UNCHOSEN = "#0f2a43"
READ_ONLY_FIELDS = ["brand_color", "logo_shown"]


class ColourWidget(UnfoldAdminTextInputWidget):
    """Six digits, and beside them the browser's own choice of a colour: one question, two ways."""

    picked = UNCHOSEN

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        digits = super().render(name, value, attrs, renderer)
        return format_html(
            '<span class="brand-colour"><input type="color" name="brand_picker" value="{}" '
            'aria-label="{}">{}</span>',
            *(self.picked, gettext("Choose the colour"), digits),
        )


class WithinColour(forms.HiddenInput):
    """ColourWidget shows it."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return SafeString("")


class BrandingForm(forms.Form):
    """The kind of a picture is read from its bytes, never from its name."""

    brand_color = forms.CharField(
        label=_("Colour"),
        max_length=7,
        required=False,
        widget=ColourWidget(attrs={"placeholder": UNCHOSEN}),
        help_text=_(
            "Choose it, or write its six digits. Empty: the colours of the service. The colour of "
            "the text adapts by itself so that it can be read."
        ),
    )
    # After the digits, because its cleaning reads theirs.
    brand_picker = forms.CharField(
        label=_("Choose the colour"), max_length=7, required=False, widget=WithinColour()
    )
    logo_file = forms.FileField(
        label=_("New logo"),
        required=False,
        widget=FileWidget({"accept": "image/png,image/jpeg,image/webp"}, is_image=True),
        help_text=_("PNG, JPEG or WebP, at most 64 KB and 1024 pixels a side."),
    )
    remove_logo = forms.BooleanField(
        label=_("Take the logo away"), required=False, widget=UnfoldBooleanSwitchWidget()
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A merchant without a logo is not asked to take it away."""
        super().__init__(*args, **kwargs)
        colour: Any = self.fields["brand_color"].widget
        colour.picked = self.get_initial_for_field(self.fields["brand_picker"], "brand_picker")
        has_logo = getattr(getattr(self, "instance", None), "logo_id", None)
        if not self.initial.get("has_logo", has_logo):
            self.fields["remove_logo"].widget = forms.HiddenInput()

    def clean_brand_color(self) -> str:
        """A colour such as `#0a7a66`. Empty: the colours of the service."""
        text = self.cleaned_data["brand_color"]
        colour = brand.parse(text)
        if text and colour is None:
            raise forms.ValidationError(gettext("Six hexadecimal digits: #0a7a66."))
        return brand.to_hex(colour) if colour else ""

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        if field_name == "brand_picker":
            return self.initial.get("brand_color") or UNCHOSEN
        return super().get_initial_for_field(field, field_name)

    def clean_brand_picker(self) -> str:
        """A browser always sends a colour. It counts if only the picker was changed."""
        picked, before = self.cleaned_data["brand_picker"], self.initial.get("brand_color", "")
        if not picked or picked.lower() == (before or UNCHOSEN):
            return ""
        if (colour := brand.parse(picked)) is None:
            raise forms.ValidationError(gettext("Six hexadecimal digits: #0a7a66."))
        if self.cleaned_data.get("brand_color") == before:
            self.cleaned_data["brand_color"] = brand.to_hex(colour)
        return brand.to_hex(colour)

    def clean_logo_file(self) -> bytes | None:
        """Returns the bytes of the picture, or None without a picture."""
        file: UploadedFile | None = self.cleaned_data["logo_file"]
        if file is None:
            return None
        if (file.size or 0) > images.MAX_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 64 KB."))
        content: bytes = file.read()
        picture = images.read(content)
        if picture is None:
            raise forms.ValidationError(gettext("This is no PNG, JPEG or WebP picture."))
        if picture.is_too_large:
            raise forms.ValidationError(gettext("A side is longer than 1024 pixels."))
        return content


def logo_change(given: Cleaned) -> MerchantFields:
    """The fields for the service to write. Empty if the logo does not change."""
    if content := given["logo_file"]:
        return {"logo_id": services.keep_logo(content=content).pk}
    return {"logo_id": None} if given["remove_logo"] else {}


class BrandingPage:
    @display(description=_("logo"))
    def logo_shown(self, merchant: Merchant) -> SafeString | str:
        """Shows the picture on white, as the payer's page does."""
        if merchant.pk is None or merchant.logo is None:
            return "-"
        logo = merchant.logo
        return format_html(
            '<img src="{}" width="{}" height="{}" alt="{}" style="max-height:64px;width:auto">',
            *(logo.url, logo.width, logo.height, merchant.name),
        )
