"""The confirmed actions of batches and lines, with their forms."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from payments.console.actions import ConfirmedAction, ReasonForm
from payments.console.widgets import DateWidget, FileWidget
from payments.payment_files.models import BatchLine, LineStatus
from payments.payment_files.services import declarations
from payments.payment_files.services.answers import SIZE_MAX


class DayForm(ReasonForm):
    pay_on = forms.DateField(
        label=_("To be paid on"),
        widget=DateWidget(),
        help_text=_("The day on which the bank pays the file, in Bogotá. Today or later."),
    )
    field_order = ["pay_on", "reason"]


class AnswerForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        widget=FileWidget(),
        help_text=_("CSV with the columns code, status (COMPLETED, FAILED or RETURNED), reason."),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > SIZE_MAX:
            raise ValidationError(gettext("The file is larger than 2 MB."))
        return file


CLOSE = ConfirmedAction(
    verb="close",
    needs_reauthentication=True,
    title=_("Send for approval"),
    explanation=_(
        "The batch takes no more payments: the next ones go into a new batch. Then another person "
        "approves this one, and its file is made."
    ),
    submit=_("Send for approval"),
    form_class=DayForm,
)
APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve batch"),
    explanation=_(
        "The file is made now, and this is what the bank gets. The person who sent the batch "
        "for approval cannot approve it. Compare the number of lines and the sum with what you "
        "expect."
    ),
    submit=_("Approve"),
)
DOWNLOAD = ConfirmedAction(
    verb="download",
    needs_reauthentication=True,
    title=_("Download file"),
    explanation=_(
        "You can download this version only once, because the bank pays a file twice that is "
        "uploaded twice. "
        "Upload it at the bank's portal, and delete your copy. Your name and the SHA‑256 are "
        "kept in the audit log."
    ),
    submit=_("Download once"),
    warns=True,
)
VERSION = ConfirmedAction(
    verb="renew",
    needs_reauthentication=True,
    title=_("Ask for another version"),
    explanation=_(
        "Only if the bank did not take the file: it refused the whole file, or it was "
        "never uploaded. You declare that with your name. If the bank takes both files, it pays "
        "twice. The new file has only the lines that are still open, and another person approves "
        "it again."
    ),
    submit=_("Ask"),
    danger=True,
    form_class=DayForm,
)
ANSWER = ConfirmedAction(
    verb="answer",
    needs_reauthentication=True,
    carries=False,
    title=_("Upload the bank's answer"),
    explanation=_(
        "The file is taken whole or refused whole. Lines that were paid are completed at once. "
        "Lines that were not paid, or came back, wait until another person agrees, because their "
        "money is released then."
    ),
    submit=_("Upload"),
    form_class=AnswerForm,
)
AGREE_ALL = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Agree to all declarations"),
    explanation=_(
        "The money of all lines that were declared not paid or returned is the merchants' again, "
        "for good. Look at the bank's portal yourself first. The person who declared them cannot "
        "agree."
    ),
    submit=_("Agree"),
    danger=True,
)
TAKE_OUT = ConfirmedAction(
    verb="remove",
    needs_reauthentication=True,
    title=_("Take line out"),
    explanation=_("The payment ends as failed, and its money is released, for good."),
    submit=_("Take out"),
    danger=True,
)
AGREE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Agree to the declaration"),
    explanation=_(
        "The money of the line is the merchant's again, for good. Look at the bank's portal "
        "yourself first. The person who declared it cannot agree."
    ),
    submit=_("Agree"),
    danger=True,
)
REJECT = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Reject the declaration"),
    explanation=_("The line stays as it is, and waits for the bank."),
    submit=_("Reject"),
)
CLOSE_FINDINGS = ConfirmedAction(
    verb="acknowledge",
    title=_("Close the finding"),
    explanation=_(
        "The line leaves the work queue. Nothing is booked or taken back: correct the books by "
        "other actions first, where that is needed."
    ),
    submit=_("Close the finding"),
)


def declare_action(line: BatchLine) -> ConfirmedAction:
    """No choice is preselected."""
    possible = declarations.outcomes(line)
    choices = [("", "---------")]
    choices += [(value, str(label)) for value, label in LineStatus.choices if value in possible]
    field = forms.ChoiceField(
        label=gettext("Outcome"), choices=choices, widget=UnfoldAdminSelectWidget()
    )
    fields = {"status": field, "field_order": ["status", "reason"]}
    return ConfirmedAction(
        verb="declare",
        needs_reauthentication=True,
        title=_("Declare by hand"),
        explanation=_(
            "What the bank's portal shows of this payment. Paid counts at once. Not paid, or came "
            "back, counts when another person agrees, because the money is released then."
        ),
        submit=_("Declare"),
        danger=True,
        form_class=type("DeclareForm", (ReasonForm,), fields),
    )
