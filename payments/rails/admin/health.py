"""The console's page of the health of accounts: a verdict with what to do, the calls, the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.cells import two_lines
from payments.console.formatting import amount, badge, link, number, relative_time, table, when
from payments.console.registry import Text
from payments.core import clock, money
from payments.providers.declaration import RailDeclaration
from payments.rails.admin.balances import balance_table
from payments.rails.admin.methods import account_names, known_rails, name_of
from payments.rails.models import AccountBalance, ProviderAccount, Route, product_choices
from payments.rails.services.overview import AccountHealth, read_all

# A rail without an account has a code and no label.
_RAILS: dict[str, Text] = {"simulator": _("Simulator")}
Labels = Mapping[str, Text]
WELL_ANSWERED = 0.95
CHECK = "rails.check_provideraccount"


@dataclass(frozen=True, slots=True)
class Trouble:
    """An account that needs a person: what is wrong, what follows from it, and where to begin."""

    account: object
    what: str
    todo: str
    button: tuple[str, str] | None = None


def health_context(request: HttpRequest) -> dict[str, Any]:
    """What was called in the last hour by account, and the rest folded."""
    off, labels = _switched_off(), {**account_names(), **_RAILS}
    found = sorted(read_all(), key=lambda one: str(labels.get(one.account, one.account)))
    busy = [one for one in found if one.account not in off and _is_worth_a_look(one)]
    busy.sort(key=lambda one: not _fails(one))
    quiet = [one for one in found if one not in busy]
    failing = [one for one in busy if _fails(one)]
    low = list(AccountBalance.objects.filter(is_low=True, account__status="ON").order_by("pk"))
    return {
        "verdict": _verdict(busy, failing, low),
        "troubles": [
            *_failures(failing, labels, off, may_check=request.user.has_perm(CHECK)),
            *(_shortage(one, labels) for one in low),
        ],
        "calls": _calls(busy, labels),
        "quiet": _quiet_table(quiet, labels, off),
        "quiet_label": _quiet_label(len({one.account for one in quiet})),
        "is_quiet_open": not busy,
        "balances": balance_table(),
    }


def _is_worth_a_look(one: AccountHealth) -> bool:
    return bool(one.is_open or one.health.calls)


def _fails(one: AccountHealth) -> bool:
    return one.is_open or one.health.is_poor


def _is_weak(one: AccountHealth) -> bool:
    """It does not fail, and not everything is answered either."""
    return one.health.share is not None and one.health.share < WELL_ANSWERED


def _verdict(
    busy: Sequence[AccountHealth], failing: Sequence[AccountHealth], low: Sequence[AccountBalance]
) -> dict[str, object]:
    """One sentence above all, and its colour."""
    said = []
    if count := len({one.account for one in failing}):
        said.append(ngettext("%d account fails", "%d accounts fail", count) % count)
    if count := len(low):
        text = ngettext(
            "%d account has too little money", "%d accounts have too little money", count
        )
        said.append(text % count)
    calls = sum(one.health.calls for one in busy)
    advice = ngettext("%d call in the last hour.", "%d calls in the last hour.", calls) % calls
    if said:
        return {"status": "red", "counts": ", ".join(said), "advice": advice}
    if count := len({one.account for one in busy if _is_weak(one)}):
        text = ngettext(
            "%d account leaves more than 5 of 100 calls without an answer",
            "%d accounts leave more than 5 of 100 calls without an answer",
            count,
        )
        return {"status": "open", "counts": text % count, "advice": advice}
    if busy:
        return {"status": "green", "counts": gettext("Everything answers"), "advice": advice}
    return {
        "status": "grey",
        "counts": gettext("No account was called in the last hour"),
        "advice": gettext("The figures appear with the first payment."),
    }


def _failures(
    failing: Sequence[AccountHealth], labels: Labels, off: set[str], *, may_check: bool
) -> list[Trouble]:
    """One for each account and product: their methods fail together."""
    rails = known_rails()
    found: dict[tuple[str, str], list[AccountHealth]] = {}
    for one in failing:
        found.setdefault((one.account, one.product), []).append(one)
    others = _others({slug for slug, _product in found} | off) if found else {}
    return [
        Trouble(
            _named(slug, labels),
            f"{_payments(product, rows, rails)}: {_what_fails(rows)}",
            _where_payments_go(others.get(product, ()), labels),
            (gettext("Check"), _check_url(slug)) if may_check and slug not in _RAILS else None,
        )
        for (slug, product), rows in found.items()
    ]


def _others(unfit: set[str]) -> dict[str, list[str]]:
    """{product: the other accounts of its routes}."""
    found: dict[str, list[str]] = {}
    routes = Route.objects.filter(is_enabled=True).exclude(account__in=unfit)
    for product, account in routes.order_by("priority", "id").values_list("product", "account"):
        if account not in found.setdefault(product, []):
            found[product].append(account)
    return found


def _payments(product: str, rows: Sequence[AccountHealth], rails: Sequence[RailDeclaration]) -> str:
    """An account that does not answer fails with all methods of the product."""
    name = str(dict(product_choices()).get(product, product))
    methods = [] if any(one.is_open for one in rows) else [_method(one, rails) for one in rows]
    return f"{name} ({', '.join(methods)})" if methods else name


def _what_fails(rows: Sequence[AccountHealth]) -> str:
    if any(one.is_open for one in rows):
        return gettext("it did not answer several times in a row, so it gets no new payments now.")
    calls = sum(one.health.calls for one in rows)
    answered = sum(round((one.health.share or 0) * one.health.calls) for one in rows)
    return gettext("it answered %(answered)d of %(calls)d calls.") % {
        "answered": answered,
        "calls": calls,
    }


def _where_payments_go(others: Sequence[str], labels: Labels) -> str:
    if not others:
        return gettext(
            "No route has another account for them: check the account, or add a route to another."
        )
    return gettext(
        "They go to %(accounts)s if its routes fit. Check what the provider answers."
    ) % {"accounts": ", ".join(str(labels.get(one, one)) for one in others)}


def _shortage(known: AccountBalance, labels: Labels) -> Trouble:
    figures = {
        "amount": amount(known.amount, money.FIAT),
        "needed": amount(known.needed, money.FIAT),
    }
    return Trouble(
        _named(known.pk, labels),
        gettext("It has %(amount)s and needs %(needed)s.") % figures,
        gettext("Move money into it at the provider: payouts over an empty account wait."),
    )


def _check_url(slug: str) -> str:
    return reverse("admin:rails_provideraccount_check_account", args=[quote(slug)])


def _named(slug: str, labels: Labels) -> object:
    """The account's name leads to its page; a rail without an account has none."""
    name = labels.get(slug, slug)
    return name if slug in _RAILS else link(ProviderAccount(slug=slug), name)


def _calls(busy: Iterable[AccountHealth], labels: Labels) -> dict[str, object]:
    headers = (
        *(_("account"), _("payments"), _("state"), _("calls")),
        *(_("answered"), _("95 of 100 answer within"), _("last answer")),
    )
    names, rails = dict(product_choices()), known_rails()
    rows = [
        [
            _named(one.account, labels),
            two_lines(names.get(one.product, one.product), _method(one, rails)),
            _state(one),
            *_figures(one),
        ]
        for one in busy
        if one.health.calls
    ]
    return table(gettext("Calls of the last hour"), headers, rows, is_compact=True)


def _quiet_table(
    quiet: Iterable[AccountHealth], labels: Labels, off: set[str]
) -> dict[str, object]:
    """A row for each account, with the methods of each product."""
    names, rails = dict(product_choices()), known_rails()
    methods: dict[str, dict[str, list[str]]] = {}
    for one in quiet:
        of_product = methods.setdefault(one.account, {}).setdefault(one.product, [])
        of_product.append(_method(one, rails))
    rows = [
        [
            _named(account, labels),
            format_html_join(
                mark_safe("<br>"),
                "<strong>{}</strong> {}",
                ((names.get(one, one), " · ".join(found)) for one, found in products.items()),
            ),
            badge(gettext("switched off") if account in off else gettext("no calls"), "default"),
        ]
        for account, products in methods.items()
    ]
    headers = (_("account"), _("product and methods"), _("state"))
    return table("", headers, rows, is_compact=True)


def _quiet_label(count: int) -> str:
    text = ngettext(
        "%d account without a call in the last hour",
        "%d accounts without a call in the last hour",
        count,
    )
    return text % count


def _method(one: AccountHealth, rails: Sequence[RailDeclaration]) -> str:
    return name_of(one.method, rails) if one.method != one.product else gettext("all methods")


def _switched_off() -> set[str]:
    found = ProviderAccount.objects.exclude(status=ProviderAccount.Status.ON)
    return set(found.values_list("pk", flat=True))


def _figures(one: AccountHealth) -> list[object]:
    health = one.health
    return [
        health.calls,
        "-" if health.share is None else f"{health.share * 100:.0f} %",
        "-" if health.p95 is None or not health.share else f"{number(f'{health.p95:g}')} s",
        "-" if health.last_success is None else _ago(_moment(health.last_success)),
    ]


def _ago(at: datetime) -> SafeString:
    """Everything here is of the last two hours: its age says more than its date."""
    return format_html(
        '<time class="whitespace-nowrap" datetime="{}" title="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        when(at),
        relative_time(at, clock.now()),
    )


def _state(one: AccountHealth) -> SafeString:
    if one.is_open:
        return badge(gettext("paused"), "danger")
    if one.health.is_poor:
        return badge(gettext("answers badly"), "warning")
    return badge(gettext("works"), "success")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
