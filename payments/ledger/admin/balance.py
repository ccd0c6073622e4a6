"""The page of a merchant's balance: what is available and held, and every movement, newest first.

Operators see any merchant, merchants their own.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import format_html, strip_tags
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.console import subjects, tenancy
from payments.console.changelist import midnight
from payments.console.formatting import amount, balance_name, table, when
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.widgets import DAY_FORMAT, DayWidget
from payments.core import clock
from payments.ledger import services
from payments.ledger.models import Account, entry_kinds
from payments.ledger.services import Movement, MovementFilters
from payments.ledger.services.movements import ACCOUNTS, CURRENCIES, KINDS

PER_PAGE = 50
# A page reads all rows before it (OFFSET). Older movements are in the statements.
PAGES_MAX = 200
PERIOD = ("from", "to")


class BalancePage(ReadOnlyAdmin):
    def get_urls(self) -> list[URLPattern]:
        """`?merchant=` is the merchant's id. A user of one merchant can leave it out."""
        view = self.admin_site.admin_view(self.balance)
        return [path("balance/", view, name="ledger_balance"), *super().get_urls()]

    def balance(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        merchants = self._merchants(request)
        merchant_id = request.GET.get("merchant", "")
        if not merchant_id and merchants is None:
            return redirect("admin:ledger_account_changelist")
        merchant = _find(request, merchant_id or next(iter(merchants or [""])))
        is_own = merchants is not None
        period = _period(request)
        filters = _filters(request, period, is_own=is_own)
        number = _page_number(request)
        movements, count = services.list_movements(
            merchant_id=merchant.pk,
            limit=PER_PAGE,
            offset=(number - 1) * PER_PAGE,
            filters=filters,
        )
        return self.page(
            request,
            "admin/balance.html",
            title=_("Balance"),
            opts=None,  # Otherwise the page would have the title of the list of accounts.
            content_title=_("Balance"),
            merchant=merchant,
            others=_others(merchants, merchant),
            figures=_figures(merchant.pk),
            selects=_selects(filters, is_own=is_own),
            days=_days(period),
            chips=_chips(merchant, filters, period),
            is_named=len(merchants or ()) != 1,
            tables=[_movements(movements, merchant, has_account=not is_own)],
            count=count,
            **_links(merchant, _kept(filters, period), number, count),
        )

    def _merchants(self, request: HttpRequest) -> list[str] | None:
        """The user's merchants. None for operators."""
        scope = tenancy.scope(request)
        return None if scope is None else sorted(scope)


def _find(request: HttpRequest, merchant_id: str) -> Merchant:
    """Raises Http404, the same for an absent merchant and another's."""
    own = tenancy.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
    merchant: Merchant | None = own.filter(pk=merchant_id.replace("\x00", "")).first()
    if merchant is None:
        raise Http404
    return merchant


def _period(request: HttpRequest) -> dict[str, date | None]:
    """The days of the address, both included. Ignores what is no day."""
    return {name: _day(request.GET.get(name, "")) for name in PERIOD}


def _day(text: str) -> date | None:
    """As the form writes it, or as the address of a link does."""
    for form in (DAY_FORMAT, "%Y-%m-%d"):
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day only
        except ValueError:
            continue
    return None


def _days(period: Mapping[str, date | None]) -> list[dict[str, object]]:
    """The boxes of the form."""
    labels: dict[str, Promise] = {"from": _("From"), "to": _("To")}
    return [
        {
            "label": label,
            "id": f"id_{name}",
            "box": DayWidget().render(name, period[name], {"id": f"id_{name}"}),
        }
        for name, label in labels.items()
    ]


def _filters(
    request: HttpRequest, period: Mapping[str, date | None], *, is_own: bool
) -> MovementFilters:
    """Ignores a value that is not among the choices.

    People of merchants read what is available: each movement once, with the balance after it. What
    is held is a choice of theirs.
    """

    def chosen(name: str, among: Sequence[str]) -> str | None:
        value = request.GET.get(name)
        return value if value in among else None

    first, last = period["from"], period["to"]
    after = last + timedelta(days=1) if last is not None and last < date.max else None
    return MovementFilters(
        currency=chosen("currency", CURRENCIES),
        account=chosen("account", ACCOUNTS) or (Account.Kind.AVAILABLE.value if is_own else None),
        kind=chosen("kind", KINDS),
        created_from=midnight(first) if first else None,
        created_to=midnight(after) if after else None,
    )


def _kept(filters: MovementFilters, period: Mapping[str, date | None]) -> dict[str, object]:
    """The filters as the address has them."""
    chosen = {name: getattr(filters, name) for name in ("currency", "account", "kind")}
    return {name: value for name, value in {**chosen, **period}.items() if value}


def _chips(
    merchant: Merchant, filters: MovementFilters, period: Mapping[str, date | None]
) -> list[dict[str, object]]:
    """The periods that people look at most, each a link."""
    today = localtime(clock.now()).date()
    begins: list[tuple[Promise, date]] = [
        (_("Today"), today),
        (_("7 days"), today - timedelta(days=6)),
        (_("This month"), today.replace(day=1)),
    ]
    every: dict[str, date | None] = dict.fromkeys(PERIOD)
    spans: list[tuple[Promise, dict[str, date | None]]] = [(_("All time"), every)]
    spans += [(label, {"from": first, "to": today}) for label, first in begins]
    return [
        {
            "label": label,
            "url": _address(merchant=merchant.pk, **_kept(filters, span)),
            "is_current": dict(period) == span,
        }
        for label, span in spans
    ]


_PARTS = {Account.Kind.AVAILABLE.value: _("available"), Account.Kind.HELD.value: _("held")}


def _page_number(request: HttpRequest) -> int:
    given = request.GET.get("p", "1")
    return min(max(int(given), 1), PAGES_MAX) if given.isascii() and given.isdigit() else 1


def _others(merchants: list[str] | None, shown: Merchant) -> list[tuple[str, str]]:
    """Names and URLs of the user's other merchants."""
    rest = [pk for pk in merchants or [] if pk != shown.pk]
    names = Merchant.objects.filter(pk__in=rest).order_by("name").values_list("pk", "name")
    return [(name, _address(merchant=pk)) for pk, name in names]


def _figures(merchant_id: str) -> list[dict[str, object]]:
    return [
        {
            "currency": currency,
            "available": amount(parts["available"], currency),
            "held": amount(parts["held"], currency),
            "total": amount(parts["available"] + parts["held"], currency),
            "statements": _statements(merchant_id, currency),
        }
        for currency, parts in services.balances(merchant_id).items()
    ]


def _statements(merchant_id: str, currency: str) -> list[tuple[Promise, str]]:
    """Links to this month's statement, as a page and as a file, and the form for other periods."""
    today = localtime(clock.now()).date()
    period = {"first": today.replace(day=1), "last": today}
    whose = {"merchant": merchant_id, "currency": currency}
    try:
        made = reverse("admin:settlement_settlement_statement")
        any_period = reverse("admin:settlement_settlement_period")
    except NoReverseMatch:
        return []
    shown = urlencode({**whose, **period, "form": "lines"})
    file = urlencode({**whose, **period, "form": "lines-csv"})
    return [
        (_("Statement of this month"), f"{made}?{shown}"),
        (_("As CSV"), f"{made}?{file}"),
        (_("Another period"), f"{any_period}?{urlencode(whose)}"),
    ]


def _selects(filters: MovementFilters, *, is_own: bool) -> list[dict[str, object]]:
    kinds = dict(entry_kinds())
    rows = [
        ("currency", _("Currency"), [(name, balance_name(name)) for name in CURRENCIES]),
        ("account", _("Account"), [(name, capfirst(str(_PARTS[name]))) for name in ACCOUNTS]),
        ("kind", _("Kind"), [(name, capfirst(str(kinds[name]))) for name in KINDS]),
    ]
    return [
        {
            "name": name,
            "label": label,
            "choices": choices,
            "value": getattr(filters, name) or "",
            "has_all": not (is_own and name == "account"),
        }
        for name, label, choices in rows
    ]


def _movements(
    movements: list[Movement], merchant: Merchant, *, has_account: bool
) -> dict[str, object]:
    kinds = dict(entry_kinds())
    facts = subjects.facts_of(row.subject_id for row in movements)

    def about(row: Movement) -> object:
        if row.subject_id == merchant.pk:
            return _("Play money")
        shown = subjects.about(row.subject_id, facts.get(row.subject_id, subjects.NOTHING))
        # The column is cut, so that the amounts of every row stay in sight.
        return format_html('<span title="{}">{}</span>', unescape(strip_tags(str(shown))), shown)

    rows = [
        [
            when(row.created_at),
            capfirst(str(kinds.get(row.kind, row.kind))),
            about(row),
            *([capfirst(str(_PARTS[row.account]))] if has_account else []),
            _moved(row),
            amount(row.balance_after, row.currency),
        ]
        for row in movements
    ]
    account = [_("account")] if has_account else []
    headers = [_("when"), _("movement"), _("about"), *account, _("amount"), _("balance after")]
    return table(_("Movements"), headers, rows, is_compact=True)


def _moved(row: Movement) -> str:
    """What came in is green, with its sign."""
    shown = amount(row.amount, row.currency)
    return format_html('<span class="desk-in">+{}</span>', shown) if row.amount > 0 else shown


def _links(
    merchant: Merchant, kept: Mapping[str, object], number: int, count: int
) -> dict[str, Any]:
    """URLs of newer and older movements."""
    last = min(max(-(-count // PER_PAGE), 1), PAGES_MAX)
    ways = {"newer": number - 1, "older": number + 1}
    links = {
        name: _address(merchant=merchant.pk, **kept, p=page)
        for name, page in ways.items()
        if 1 <= page <= last
    }
    return {"number": number, "last": last, "ways": links}


def _address(**query: object) -> str:
    return f"{reverse('admin:ledger_balance')}?{urlencode(query)}"
