from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.chains.metrics import METRICS
from payments.console import registry


class ChainsConfig(AppConfig):
    name = "payments.chains"
    label = "chains"
    verbose_name = _("Coins")
    metrics = METRICS
    console = registry.AppConsole(
        sections=(
            registry.section(
                72,
                _("Coins"),
                registry.Entry(_("Chains"), "lan", "chains.chaincursor"),
                registry.Entry(_("Coin addresses"), "qr_code_2", "chains.coinaddress"),
                registry.Entry(_("Coin deposits"), "move_to_inbox", "chains.deposit"),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=11,
                label=_("Final deposits of coins that are no longer on the chain"),
                model="chains.deposit",
                where=lambda now: Q(contradicted_at__isnull=False, acknowledged_at__isnull=True),
                query="exceptions=contradicted",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=12,
                label=_("Deposits of unknown tokens"),
                model="chains.deposit",
                where=lambda now: Q(coin="", acknowledged_at__isnull=True),
                query="exceptions=token",
                for_operators_only=True,
            ),
        ),
        search=(
            registry.searched("chains.coinaddress", "", registry.equals("address")),
            registry.searched("chains.deposit", "", registry.filled_equals("transaction")),
        ),
        rights={
            registry.OF_OPERATORS: "view_chaincursor view_coinaddress view_deposit",
            registry.FINANCE: "acknowledge_deposit",
            registry.ADMINISTRATOR: "restart_chaincursor",
        },
        right_names={
            "acknowledge_deposit": gettext_noop("Can acknowledge coin deposits"),
            "restart_chaincursor": gettext_noop("Can read a chain again"),
        },
    )
