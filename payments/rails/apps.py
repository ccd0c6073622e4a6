from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, MetricQuery

# Those that are on. Ordered by the keys, so that only indexes are read.
_KEPT = """
    (SELECT * FROM rails_accountbalance ORDER BY account_id LIMIT %(cap)s) AS kept
    WHERE (SELECT status FROM rails_provideraccount WHERE slug = kept.account_id) = 'ON'"""
BALANCES = (
    MetricQuery(
        ("account",),
        {
            "pasarela_rail_balance": "Pesos that an account has left to pay with.",
            "pasarela_rail_balance_needed": "Pesos below which it is too low: the alarm's amount"
            " and what waits to be sent.",
        },
        f"SELECT account_id, amount, needed FROM {_KEPT} AND amount IS NOT NULL",  # noqa: S608
    ),
    MetricQuery(
        ("account",),
        {"pasarela_rail_balance_age_seconds": "How long ago its rail last told the balance."},
        f"""SELECT account_id, extract(epoch FROM %(now)s - COALESCE(read_at, created_at))
            FROM {_KEPT}""",  # noqa: S608
    ),
)

# For another person: live accounts, new credentials of them, those that the deployment declares.
WAITING_ACCOUNTS = (
    Q(status="REQUESTED")
    | ~Q(requested_credentials="")
    | (Q(mode="LIVE", status="OFF", approved_digest="") & ~Q(declared_digest=""))
)


class RailsConfig(AppConfig):
    name = "payments.rails"
    label = "rails"
    verbose_name = _("Rails")
    metrics = AppMetrics(cached="payments.rails.services.overview.figures", queries=BALANCES)
    # Names of the ledger's accounts, by their kind.
    ledger_names: ClassVar[dict[str, str]] = {
        "clearing": "payments.rails.services.account_labels.labels_of",
        "transit": "payments.rails.services.account_labels.labels_of",
    }
    console = registry.AppConsole(
        sections=(
            registry.section(
                75,
                _("Rails"),
                registry.Entry(_("Provider accounts"), "account_tree", "rails.provideraccount"),
                registry.Entry(_("Routes"), "alt_route", "rails.route"),
                registry.Entry(_("Changes of routes"), "rule", "rails.routechange"),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=5,
                label=_("Provider accounts that wait for approval"),
                model="rails.provideraccount",
                where=lambda now: WAITING_ACCOUNTS,
                query="waits=yes",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=6,
                label=_("Changes of routes that wait for approval"),
                model="rails.routechange",
                where=lambda now: Q(status="REQUESTED"),
                query="status__exact=REQUESTED",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=7,
                label=_("Provider accounts with too little money"),
                model="rails.provideraccount",
                where=lambda now: Q(status="ON", balance__is_low=True),
                query="status__exact=ON&balance__is_low__exact=1",
                for_operators_only=True,
            ),
        ),
        rights={
            registry.OF_OPERATORS: "view_provideraccount view_route view_routechange",
            registry.ADMINISTRATOR: "add_provideraccount rotate_provideraccount "
            "switch_provideraccount check_provideraccount add_route change_route "
            "reject_provideraccount confirm_routechange reject_routechange",
            registry.APPROVER: "approve_provideraccount reject_provideraccount "
            "approve_routechange reject_routechange",
        },
        right_names={
            "rotate_provideraccount": gettext_noop("Can replace credentials of provider accounts"),
            "switch_provideraccount": gettext_noop("Can switch provider accounts on and off"),
            "check_provideraccount": gettext_noop("Can check provider accounts"),
            "approve_provideraccount": gettext_noop("Can approve live provider accounts"),
            "reject_provideraccount": gettext_noop(
                "Can reject new credentials of provider accounts"
            ),
            "confirm_routechange": gettext_noop("Can confirm declared changes of routes"),
            "approve_routechange": gettext_noop("Can approve changes of routes"),
            "reject_routechange": gettext_noop("Can reject changes of routes"),
        },
    )

    def ready(self) -> None:
        from payments.providers.registry import use_accounts
        from payments.rails.services.accounts import find_rail

        use_accounts(find_rail)
