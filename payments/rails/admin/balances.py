"""The balances of accounts, on their own pages and on the page of health."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, badge, link, table, when
from payments.core import money
from payments.rails.models import AccountBalance, ProviderAccount
from payments.rails.services.balances import reserve_of


def shown(account: ProviderAccount) -> SafeString:
    """The balance with its time and whether it is enough."""
    known = AccountBalance.objects.filter(pk=account.pk).first()
    if known is None or known.amount is None:
        return format_html("{}", gettext("not read yet"))
    facts = (amount(known.amount, money.FIAT), when(known.read_at), _state(known))
    return format_html_join(mark_safe(" · "), "{}", ((fact,) for fact in facts))


def alarm(account: ProviderAccount) -> str:
    own = amount(reserve_of(account), money.FIAT)
    return own if account.alarm_below is not None else gettext("%s, of the settings") % own


def balance_table() -> dict[str, object]:
    found = AccountBalance.objects.select_related("account").filter(account__status="ON")
    headers = (_("account"), _("state"), _("balance"), _("needed"), _("read at"))
    rows = [
        [
            link(known.account, known.account.label),
            _state(known),
            amount(known.amount, money.FIAT),
            amount(known.needed, money.FIAT),
            when(known.read_at),
        ]
        for known in found.order_by("account_id")
    ]
    title = gettext("Balances of the accounts that pay")
    return table(title, headers, rows, is_compact=True)


def _state(known: AccountBalance) -> SafeString:
    if known.amount is None:
        return badge(gettext("not read yet"), "warning")
    if known.is_low:
        return badge(gettext("too low"), "danger")
    return badge(gettext("enough"), "success")
