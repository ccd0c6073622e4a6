"""The forms of the steps, and the pages that ask for confirmation."""

from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from merchants.models import Merchant
from payments.console.actions import ConfirmedAction
from payments.console.widgets import FileWidget
from payments.ledger.services import balances
from payments.outgoing.models import BalanceCurrency
from payments.payout_batches.files import limits
from payments.payout_batches.models import PayoutBatch

MEGABYTE = 1024 * 1024


class UploadForm(forms.Form):
    merchant = forms.ModelChoiceField(
        label=_("Merchant"), queryset=Merchant.objects.none(), widget=UnfoldAdminSelectWidget()
    )
    file = forms.FileField(
        label=_("File"),
        max_length=200,
        widget=FileWidget({"accept": ".csv,.txt,.xlsx"}),
        help_text=_("CSV or XLSX, up to 10,000 lines and 8 MB."),
    )
    currency = forms.ChoiceField(
        label=_("Paid from"),
        choices=BalanceCurrency.choices,
        initial=BalanceCurrency.COPM,
        widget=UnfoldAdminSelectWidget(),
    )
    replaces = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput())

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > limits.FILE_BYTES_MAX:
            text = gettext("The file is too large: at most %(most)s MB are read. Divide it.")
            most = limits.FILE_BYTES_MAX // MEGABYTE
            raise forms.ValidationError(text % {"most": most})
        return file


class ReasonOrNone(forms.Form):
    """Of steps that a person takes back easily."""

    reason = forms.CharField(
        label=_("Reason (optional)"),
        max_length=500,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("Kept in the history with your name."),
    )


class SendForm(forms.Form):
    leaves_out = forms.BooleanField(required=True, widget=UnfoldBooleanWidget())
    acknowledges = forms.BooleanField(required=True, widget=UnfoldBooleanWidget())


UPLOAD = ConfirmedAction(
    verb="prepare",
    title=_("Upload a file of payouts"),
    explanation=_(
        "The file is checked as a whole, and nothing moves. You see every wrong value with its "
        "line and column, the totals and the fees. Then you send it, and another person of your "
        "team approves it."
    ),
    submit=_("Upload and check"),
    form_class=UploadForm,
)
SEND = ConfirmedAction(
    verb="prepare",
    needs_reauthentication=True,
    title=_("Send for approval"),
    explanation=_(
        "Nothing is paid, and nothing of your balance is reserved, until another person has "
        "approved it."
    ),
    submit=_("Send for approval"),
    form_class=SendForm,
)
WITHOUT_APPROVAL = _("By the rules of your team no second person approves it: it is paid at once.")
APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve and pay"),
    explanation=_(
        "Compare the total and the lines with your papers. With the last approval the money leaves "
        "at once."
    ),
    submit=_("Approve and pay"),
    form_class=ReasonOrNone,
)
REJECT = ConfirmedAction(
    verb="approve",
    title=_("Reject"),
    explanation=_("Nothing of this file is paid. A mended file can be uploaded as a new one."),
    submit=_("Reject"),
    danger=True,
)
DISCARD = ConfirmedAction(
    verb="prepare",
    title=_("Discard"),
    explanation=_("Nothing of this file is paid."),
    submit=_("Discard"),
    danger=True,
    form_class=ReasonOrNone,
)
PAUSE = ConfirmedAction(
    verb="stop",
    title=_("Pause"),
    explanation=_("No more payouts are created until it is resumed. Those that exist go on."),
    submit=_("Pause"),
    form_class=ReasonOrNone,
)
RESUME = ConfirmedAction(
    verb="prepare",
    title=_("Resume"),
    explanation=_("The lines that wait get their payouts."),
    submit=_("Resume"),
    form_class=ReasonOrNone,
)
RESTART = ConfirmedAction(
    verb="restart",
    needs_reauthentication=True,
    title=_("Resume after the error"),
    explanation=_(
        "The lines that wait get their payouts. Resume only when the error is mended. Lines that "
        "the error has refused stay refused: the merchant sends them in another file."
    ),
    submit=_("Resume"),
)
CANCEL = ConfirmedAction(
    verb="stop",
    title=_("Cancel the rest"),
    explanation=_(
        "The lines without a payout are never paid by this file. Payouts that exist go on."
    ),
    submit=_("Cancel the rest"),
    danger=True,
)

MEND = _("Upload the mended file")


def upload_action(merchants: list[str], initial: dict[str, object]) -> ConfirmedAction:
    """With the merchants of the person. One alone is not asked for."""
    choices = Merchant.objects.filter(pk__in=merchants).order_by("name")

    class Form(UploadForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            field: Any = self.fields["merchant"]
            field.queryset = choices
            if len(merchants) == 1:
                field.initial, field.widget = merchants[0], forms.HiddenInput()
            held = {code for pk in merchants for code in balances(pk)}
            if BalanceCurrency.USDT not in held:
                self.fields["currency"].widget = forms.HiddenInput()

    return replace(UPLOAD, form_class=Form, initial=initial)


def send_action(batch: PayoutBatch, is_short: bool) -> ConfirmedAction:
    """Asks only for what there is to confirm."""

    class Form(SendForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            if batch.wrong_count:
                text = gettext("Leave out the wrong lines: %(count)s. They are not paid.")
                self.fields["leaves_out"].label = text % {"count": batch.wrong_count}
            else:
                del self.fields["leaves_out"]
            if batch.warning_count or is_short:
                text = gettext("I have read the warnings, and want to pay these lines.")
                self.fields["acknowledges"].label = text
            else:
                del self.fields["acknowledges"]

    return replace(SEND, form_class=Form)
