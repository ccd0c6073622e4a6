"""The page that shows what the text of a Bre-B QR code says, and whether it is valid."""

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextareaWidget

from payments.console import tenancy
from payments.console.formatting import amount
from payments.console.timeline import add_actions
from payments.core import clock, money
from payments.outgoing.admin.payments import OutgoingAdmin
from payments.payout.models import KeyType
from payments.payout.services import qr_codes
from payments.payout.services.qr_codes import QRDestination
from payments.providers.breb_qr.decoding import MOST_CHARACTERS, decode
from payments.providers.breb_qr.refusals import QRRefused
from payments.providers.breb_qr.values import BrebQR
from payments.rails.admin import key_holders

TITLE = _("Read a QR code")

add_actions({"key.looked_up": _("Looked up the holder of a key")})


class QRForm(forms.Form):
    qr = forms.CharField(
        label=_("Text of the QR code"),
        max_length=MOST_CHARACTERS,
        widget=UnfoldAdminTextareaWidget(
            attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=_("What a scanner reads from the picture. It begins with 000201."),
    )
    code: BrebQR

    def clean_qr(self) -> str:
        text: str = self.cleaned_data["qr"]
        try:
            self.code = decode(text)
        except QRRefused as refused:
            raise forms.ValidationError(str(refused)) from refused
        return text


class QRCodePage(OutgoingAdmin):
    actions_list = ["read_qr"]
    merchant_actions = frozenset({"read_qr"})

    @action(description=TITLE, icon="qr_code_2", permissions=["view"])
    def read_qr(self, request: HttpRequest) -> HttpResponse:
        """A text is sent by POST, so that it is in no log of addresses. Nothing is stored."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        form = QRForm(request.POST if request.method == "POST" else None)
        read = self._read(request, form.code) if form.is_valid() else {}
        status = 400 if form.errors else 200
        return self.page(
            request, "admin/read_qr.html", status=status, title=TITLE, form=form, **read
        )

    def _read(self, request: HttpRequest, code: BrebQR) -> dict[str, object]:
        found: dict[str, object] = {"facts": _facts(code)}
        try:
            destination = qr_codes.destination_of(code)
        except QRRefused as refused:
            return {**found, "warnings": [str(refused), *_warnings(code)]}
        may_ask = not tenancy.is_merchant_user(request) and self.has_ask_permission(request)
        holder = self._holder(request, destination) if may_ask and "ask" in request.POST else {}
        key = (KeyType(destination.key_type).label, destination.key_value)
        return {
            **found,
            "key": " · ".join(map(str, key)),
            "may_ask": may_ask,
            "warnings": _warnings(code),
            **holder,
        }

    def _holder(self, request: HttpRequest, destination: QRDestination) -> dict[str, object]:
        if not isinstance(request.user, User):
            raise PermissionDenied
        check = qr_codes.look_up_holder(destination=destination, user=request.user, now=clock.now())
        if check is None:
            return {"holder": gettext("No account of a rail can tell.")}
        warnings = key_holders.warnings(check, destination.code.name)
        return {"holder": key_holders.shown(check), "holder_warnings": warnings}


def _facts(code: BrebQR) -> list[tuple[str, str]]:
    kind = gettext("static: for many payments") if code.is_static else gettext("dynamic: for one")
    asked = gettext("the payer types it")
    told = [
        (gettext("Name"), code.name),
        (gettext("City"), " ".join(filter(None, (code.postal_code, code.city)))),
        (gettext("Amount"), amount(code.amount, money.FIAT) if code.amount else asked),
        (gettext("Kind of code"), kind),
        (gettext("Tax id"), code.additional.tax_id),
        (gettext("Merchant code"), code.merchant_code),
        (gettext("Category (MCC)"), code.category_code),
        (gettext("Network"), code.network),
        (gettext("Invoice"), code.additional.invoice),
        (gettext("Reference"), code.additional.reference),
        (gettext("Terminal"), code.additional.terminal),
        (gettext("Channel"), code.channel),
        (gettext("Transaction id"), code.transaction_id),
    ]
    return [(label, value) for label, value in told if value]


def _warnings(code: BrebQR) -> list[str]:
    found = []
    if not code.is_static:
        text = gettext("A payout to this key may not be connected with the purchase at the shop.")
        found.append(text)
    if code.tip.is_added:
        found.append(gettext("The code adds a tip to the amount."))
    return found
