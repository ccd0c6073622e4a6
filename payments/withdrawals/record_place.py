"""What the page of a payout that is a withdrawal says in place of the words of payouts."""

from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.formatting import day
from payments.payout.admin.record_places import Place, Words
from payments.withdrawals.models import BankAccount, Withdrawal
from payments.withdrawals.overview import state_of
from payments.withdrawals.services import withdrawals

WORDS = Words(
    approve=_("Approve the withdrawal"),
    approve_what=_(
        "You are the second person: look at the account and the amount. With the last approval the "
        "money leaves at once."
    ),
    approved=_("Withdrawal approved."),
    reject=_("Reject the withdrawal"),
    reject_what=_("The withdrawal ends as failed, and its money is in your balance again."),
    rejected=_("Withdrawal rejected."),
    cancel_what=_("Nothing is sent. The withdrawal ends as failed, and its money is free again."),
)


def place_of(payout_id: str) -> Place | None:
    rows = Withdrawal.objects.select_related("account__bank")
    made = rows.filter(pk=payout_id).first()
    if made is None:
        return None
    is_verified = withdrawals.is_verified(made.account)
    return Place(
        menu="withdrawals.bankaccount",
        title=gettext("Withdrawal to %s") % made.account,
        section=_("To your account"),
        state=state_of,
        words=WORDS,
        note=_whose(made.account) if is_verified else "",
        warning="" if is_verified else gettext("The account is not the verified one any more."),
    )


def _whose(account: BankAccount) -> str:
    """A verified account changes no more, except that it stops to be one."""
    if tenancy.current_user_is_merchant():
        text = gettext("It goes to your own account, verified on %s.")
    else:
        text = gettext("It goes to the merchant's own account, verified on %s.")
    return text % day(localtime(account.updated_at))
