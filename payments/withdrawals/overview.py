"""What people of merchants see around the list of their accounts: the balance, and withdrawals."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.formatting import amount, link, table, when
from payments.console.state_words import add_state_words, state_badge
from payments.core import money
from payments.outgoing.admin.timelines import MASCULINE
from payments.payout.admin.payout_facts import arrives
from payments.payout.models import Payout
from payments.withdrawals.models import BankAccount, Withdrawal
from payments.withdrawals.services import withdrawals

PAYOUT_COLOURS = {
    "PENDING": "info",
    "PROCESSING": "warning",
    "COMPLETED": "success",
    "FAILED": "danger",
    "REFUNDED": "danger",
}
add_state_words("withdrawal", MASCULINE)
SHOWN = 20  # withdrawals on the page of the list


def state_of(payout: Payout) -> SafeString:
    """In the gender of a withdrawal, which is not that of a payout in Spanish."""
    return state_badge(payout, PAYOUT_COLOURS, noun="withdrawal")


def of_own(request: HttpRequest, may_withdraw: bool) -> dict[str, object]:
    if not tenancy.is_merchant_user(request):
        return {}
    own = tenancy.merchants(request)
    verified = BankAccount.objects.filter(merchant__in=own, status=BankAccount.Status.VERIFIED)
    ways = [
        {
            "available": amount(withdrawals.offer(account.merchant).available, money.FIAT),
            "account": account,
            "href": reverse("admin:withdrawals_bankaccount_withdraw", args=[account.pk])
            if may_withdraw
            else "",
        }
        for account in verified.select_related("merchant", "bank").order_by("merchant__name")
    ]
    made = Withdrawal.objects.filter(account__merchant__in=own)
    made = made.select_related("payout", "account__bank")
    rows = [
        [
            link(one.payout, amount(one.payout.amount, money.FIAT)),
            state_of(one.payout),
            str(one.account),
            arrives(one.payout),
            when(one.created_at),
        ]
        for one in made.order_by("-created_at")[:SHOWN]
    ]
    headers = [_("withdrawal"), _("status"), _("to your account"), _("arrives"), _("asked for")]
    return {"ways": ways, "made": table(_("Withdrawals"), headers, rows, is_compact=True)}
