from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, MetricQuery

_FEEDS = "(SELECT * FROM rates_coinfeed ORDER BY currency LIMIT %(cap)s) AS feed"
METRICS = (
    MetricQuery(
        ("currency",),
        {
            "pasarela_rate_age_seconds": "Age of the price of a coin that the feed has looked at.",
            "pasarela_rate_disagreement": "How much the highest price of its sources is above the"
            " lowest one, as a share.",
            "pasarela_rate_jump_waiting": "1 while a price waits for a person.",
        },
        f"""SELECT currency,
            COALESCE(extract(epoch FROM %(now)s - (
                SELECT effective_at FROM rates_exchangerate AS rate
                WHERE rate.currency = feed.currency
                ORDER BY effective_at DESC, id DESC LIMIT 1)), 'Infinity'::float8),
            COALESCE(disagreement, 0), (waiting_bid IS NOT NULL)::int
            FROM {_FEEDS} WHERE checked_at IS NOT NULL""",  # noqa: S608
    ),
    MetricQuery(
        ("source", "reason"),
        {"pasarela_rate_refused_answers": "Answers of price sources that did not count."},
        """SELECT source, why, sum(number::bigint)
            FROM (SELECT * FROM rates_sourceanswer ORDER BY id LIMIT %(cap)s) AS answer,
                jsonb_each_text(refusals) AS refused (why, number)
            GROUP BY source, why""",
    ),
)


class RatesConfig(AppConfig):
    name = "payments.rates"
    label = "rates"
    verbose_name = _("Exchange rates")
    # The default rows that manage.py load_catalogues adds.
    catalogue = ("exchangeRates", "payments.rates.services.load_default_rates")
    metrics = AppMetrics(queries=METRICS)
    console = registry.AppConsole(
        sections=(
            registry.section(
                70,
                _("Ledger"),
                registry.Entry(
                    _("Exchange rates"),
                    "currency_exchange",
                    "rates.exchangerate",
                    order=1,
                    children={"rates.quote": _("Quotes")},
                ),
                registry.Entry(_("Price feed"), "sensors", "rates.coinfeed", order=2),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=8,
                label=_("Jumps of prices that wait for a person"),
                model="rates.coinfeed",
                where=lambda now: Q(waiting_bid__isnull=False),
                query="outcome__exact=WAITS",
                for_operators_only=True,
            ),
        ),
        rights={
            registry.OF_OPERATORS: "view_exchangerate view_quote view_coinfeed view_sourceanswer",
            registry.FINANCE: "add_exchangerate decide_coinfeed resume_coinfeed",
        },
        right_names={
            "decide_coinfeed": gettext_noop("Can accept and refuse jumps of prices"),
            "resume_coinfeed": gettext_noop("Can let the price feed set prices again"),
        },
    )
