"""Names and balances of accounts on lists and pages, and the days of an own account."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.dateparse import parse_date
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.cells import copyable
from payments.console.formatting import amount, anchor, badge, balance_name, day, link, table, when
from payments.console.prepared_rows import PreparedRows
from payments.console.subjects import NOTHING, SubjectFacts, about, facts_of
from payments.core import clock
from payments.core.days import day_of
from payments.ledger.admin import account_words
from payments.ledger.models import Account, Posting
from payments.ledger.services import system_balances
from payments.ledger.services.account_names import name_accounts

DAYS_SHOWN = 60
POSTINGS_SHOWN = 30


class AccountTables(PreparedRows):
    list_about = _(
        "A balance with + is money that we owe the owner of the account; with - it is money that "
        "we have or are owed."
    )
    change_form_outer_after_template = "admin/tables.html"

    def prepare(self, rows: list[Any]) -> list[Any]:
        """Sets `name` and `total` on each account."""
        names = name_accounts(rows)
        ours = [account.pk for account in rows if account.balance is None]
        balances = system_balances.balances_of(ours)
        for account in rows:
            account.name = names[account.pk]
            account.total = balances.get(account.pk, account.balance)
        return super().prepare(rows)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None) or {}
        account: Account | None = context.get("original")
        if account is not None:
            is_own = account.merchant_id is None
            context["tables"] = tables(account, _until(request)) if is_own else [_newest(account)]
        return response

    def title_of(self, row: Any) -> str:
        name = capfirst(name_accounts([row])[row.pk])
        return f"{row.merchant.name}: {name}" if row.merchant_id else name

    def head(self, row: Any) -> dict[str, Any]:
        balance = _balance(row)
        facts = [
            (_("what it is for"), account_words.purpose(row)),
            (_("currency"), balance_name(row.currency)),
            (_("code"), copyable(row.code)),
        ]
        if row.merchant_id:
            facts.insert(0, (_("merchant"), link(row.merchant)))
        whose = "" if row.merchant_id else account_words.side(balance)
        return {
            "amount": amount(balance, row.currency),
            "state": badge(whose, "info") if whose else "",
            "facts": facts,
        }

    @display(description=_("account"), ordering="code")
    def name_shown(self, account: Any) -> str:
        """With the code, by which the list is sorted and searched."""
        name = getattr(account, "name", None) or name_accounts([account])[account.pk]
        return format_html('{} <span class="shell-code">{}</span>', capfirst(name), account.code)

    @display(description=_("what it is for"))
    def purpose_shown(self, account: Account) -> str:
        return str(account_words.purpose(account))

    @display(description=_("balance"))
    def balance_shown(self, account: Any) -> str:
        return amount(_balance(account), account.currency)


def _until(request: HttpRequest) -> date:
    try:
        given = parse_date(request.GET.get("until", ""))
    except ValueError:  # no such day
        given = None
    return max(given or day_of(clock.now()), date.min + timedelta(days=DAYS_SHOWN))


def tables(account: Account, until: date) -> list[dict[str, object]]:
    return [_days(account, until), _newest(account)]


def _balance(account: Any) -> Any:
    if account.balance is not None:
        return account.balance
    if (known := getattr(account, "total", None)) is not None:
        return known
    return system_balances.balances_of([account.pk])[account.pk]


def _days(account: Account, until: date) -> dict[str, object]:
    """The sixty days up to `until`, the newest first. The last row leads to older days."""
    first = until - timedelta(days=DAYS_SHOWN - 1)
    currency = account.currency
    days = system_balances.days_of(account, first, until)
    rows: list[Collection[object]] = [
        [
            day(one.day),
            amount(one.opening, currency),
            amount(one.movement.debits, currency),
            amount(one.movement.credits, currency),
            amount(one.closing, currency),
            str(one.movement.postings),
        ]
        for one in reversed(days)
    ]
    before = urlencode({"until": first - timedelta(days=1)})
    older = anchor(f"?{before}", gettext("Older days"))
    headers = [_("day"), _("opening"), _("debits"), _("credits"), _("closing"), _("postings")]
    title = gettext("Days from %(first)s to %(last)s") % {"first": day(first), "last": day(until)}
    return table(title, headers, [*rows, [older, "", "", "", "", ""]])  # type: ignore[list-item]


def _newest(account: Account) -> dict[str, object]:
    newest = Posting.objects.filter(account=account).select_related("entry").order_by("-id")
    found = list(newest[:POSTINGS_SHOWN])
    known = facts_of(posting.entry.subject_id for posting in found)
    rows = [
        [
            when(posting.created_at),
            link(posting.entry, capfirst(posting.entry.get_kind_display())),
            _about(posting.entry.subject_id, known),
            ("+" if posting.amount > 0 else "") + amount(posting.amount, posting.currency),
            amount(posting.balance_after, posting.currency),
        ]
        for posting in found
    ]
    headers = [_("when"), _("movement"), _("about"), _("amount"), _("balance after")]
    return table(_("Newest postings"), headers, rows)


def _about(subject_id: str, known: Mapping[str, SubjectFacts]) -> object:
    return about(subject_id, known.get(subject_id, NOTHING)) if subject_id else "-"
