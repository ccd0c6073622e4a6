"""The console's page of the health of accounts: a verdict, each account, and what is quiet."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, number, table, when
from payments.console.registry import Text
from payments.providers.declaration import RailDeclaration
from payments.rails.admin.balances import balance_table
from payments.rails.admin.methods import account_names, known_rails, name_of
from payments.rails.models import ProviderAccount, product_choices
from payments.rails.services.overview import AccountHealth, read_all

# A rail without an account has a code and no label.
_RAILS: dict[str, Text] = {"simulator": _("Simulator")}
Labels = Mapping[str, Text]


def health_context() -> dict[str, Any]:
    """What was called in the last hour by account, and the rest folded."""
    off, labels = _switched_off(), {**account_names(), **_RAILS}
    found = sorted(read_all(), key=lambda one: str(labels.get(one.account, one.account)))
    busy = [one for one in found if one.account not in off and _is_worth_a_look(one)]
    quiet = [one for one in found if one not in busy]
    return {
        "verdict": _verdict(busy, labels),
        "tables": _tables(busy, labels),
        "quiet": _quiet_table(quiet, labels, off),
        "quiet_label": _quiet_label(len({one.account for one in quiet})),
        "is_quiet_open": not busy,
        "balances": balance_table(),
    }


def _is_worth_a_look(one: AccountHealth) -> bool:
    return bool(one.is_open or one.health.calls)


def _verdict(busy: Sequence[AccountHealth], labels: Labels) -> dict[str, object]:
    """One sentence above the tables, and its colour."""
    failing = {one.account for one in busy if one.is_open or one.health.is_poor}
    if failing:
        count = len(failing)
        names = ", ".join(sorted(str(labels.get(each, each)) for each in failing))
        return {
            "status": "red",
            "counts": ngettext("%d account fails", "%d accounts fail", count) % count,
            "advice": gettext("%s. New payments go to the next account of the route, if any.")
            % names,
        }
    if not busy:
        return {
            "status": "grey",
            "counts": gettext("No account was called in the last hour"),
            "advice": gettext("The figures appear with the first payment."),
        }
    calls = sum(one.health.calls for one in busy)
    said = ngettext("%d call in the last hour.", "%d calls in the last hour.", calls) % calls
    return {"status": "green", "counts": gettext("Everything answers"), "advice": said}


def _tables(busy: Iterable[AccountHealth], labels: Labels) -> list[dict[str, object]]:
    headers = (
        *(_("product"), _("method or network"), _("state")),
        *(_("calls"), _("answered"), _("95 % answer within"), _("last answer")),
    )
    names, rails = dict(product_choices()), known_rails()
    of_account: dict[str, list[list[object]]] = {}
    for one in busy:
        product = names.get(one.product, one.product)
        row = [product, _method(one, rails), _state(one), *_figures(one)]
        of_account.setdefault(one.account, []).append(row)
    return [table(labels.get(slug, slug), headers, rows) for slug, rows in of_account.items()]


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
            labels.get(account, account),
            format_html_join(
                mark_safe("<br>"),
                "<strong>{}</strong> {}",
                ((names.get(one, one), " · ".join(found)) for one, found in products.items()),
            ),
            badge(gettext("switched off") if account in off else gettext("no calls"), "default"),
        ]
        for account, products in methods.items()
    ]
    return table("", (_("account"), _("product and methods"), _("state")), rows)


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
        "-" if health.share is None else f"{health.share:.0%}",
        "-" if health.p95 is None else f"{number(f'{health.p95:g}')} s",
        "-" if health.last_success is None else when(_moment(health.last_success)),
    ]


def _state(one: AccountHealth) -> SafeString:
    if one.is_open:
        return badge(gettext("is not called"), "danger")
    if one.health.is_poor:
        return badge(gettext("answers badly"), "warning")
    return badge(gettext("works"), "success")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
