"""The console's page of the health of accounts."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, table, when
from payments.rails.admin.methods import account_names, known_rails, name_of
from payments.rails.models import product_choices
from payments.rails.services.overview import AccountHealth, read_all


def health_table() -> dict[str, object]:
    headers = (
        *(_("product"), _("account"), _("method or network"), _("state")),
        *(_("calls"), _("answered"), _("95 % within"), _("last answer")),
    )
    names, labels, rails = dict(product_choices()), account_names(), known_rails()
    rows = [
        [
            names.get(one.product, one.product),
            labels.get(one.account, one.account),
            name_of(one.method, rails) if one.method != one.product else "-",
            *_figures(one),
        ]
        for one in read_all()
    ]
    return table(gettext("In the last hour"), headers, rows)


def _figures(one: AccountHealth) -> Sequence[object]:
    health = one.health
    return [
        _state(one),
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
        return badge(gettext("no calls"), "info")
    return badge(gettext("works"), "success")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
