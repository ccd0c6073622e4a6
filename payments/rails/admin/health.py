"""The console's page of the health of accounts."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, table, when
from payments.rails.admin.methods import account_names, known_rails, name_of
from payments.rails.models import ProviderAccount, product_choices
from payments.rails.services.overview import AccountHealth, read_all

# A rail without an account has a code and no label.
_RAILS = {"simulator": _("Simulator")}


def health_table() -> dict[str, object]:
    headers = (
        *(_("account"), _("product"), _("method or network"), _("state")),
        *(_("calls"), _("answered"), _("95 % answer within"), _("last answer")),
    )
    names, rails, off = dict(product_choices()), known_rails(), _switched_off()
    labels = account_names() | _RAILS
    rows = [
        [
            labels.get(one.account, one.account),
            names.get(one.product, one.product),
            name_of(one.method, rails) if one.method != one.product else "-",
            *_figures(one, is_off=one.account in off),
        ]
        for one in sorted(read_all(), key=lambda one: str(labels.get(one.account, one.account)))
    ]
    return table(gettext("In the last hour"), headers, rows)


def _switched_off() -> set[str]:
    found = ProviderAccount.objects.exclude(status=ProviderAccount.Status.ON)
    return set(found.values_list("pk", flat=True))


def _figures(one: AccountHealth, *, is_off: bool) -> Sequence[object]:
    health = one.health
    return [
        badge(gettext("switched off"), "default") if is_off else _state(one),
        health.calls,
        "-" if health.share is None else f"{health.share:.0%}",
        "-" if health.p95 is None else f"{health.p95:g} s",
        "-" if health.last_success is None else when(_moment(health.last_success)),
    ]


def _state(one: AccountHealth) -> SafeString:
    if one.is_open:
        return badge(gettext("is not called"), "danger")
    if one.health.is_poor:
        return badge(gettext("answers badly"), "warning")
    if not one.health.calls:
        return badge(gettext("no calls"), "default")
    return badge(gettext("works"), "success")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
