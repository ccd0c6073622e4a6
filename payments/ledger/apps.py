from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.console import registry


class LedgerConfig(AppConfig):
    name = "payments.ledger"
    label = "ledger"
    verbose_name = _("Ledger")
    console = registry.AppConsole(
        sections=(
            registry.section(
                70,
                _("Ledger"),
                registry.Entry(_("Own accounts"), "savings", "ledger.systemaccount"),
                registry.Entry(_("Fees earned"), "payments", "ledger.feeday"),
                registry.Entry(
                    *(_("Ledger accounts"), "account_balance", "ledger.account"),
                    group=registry.MONEY,
                    merchant_label=_("Accounts"),
                ),
                registry.Entry(
                    *(_("Ledger entries"), "menu_book", "ledger.entry"),
                    children={"ledger.posting": _("Postings")},
                ),
            ),
        ),
        search=(registry.searched("ledger.entry", "ent"),),
        cockpit="payments.ledger.admin.cockpit.panels",
        rights={
            registry.EVERYONE: "view_account",
            registry.OF_OPERATORS: "view_entry view_posting view_systemaccount",
            frozenset({registry.FINANCE, registry.ADMINISTRATOR}): (
                "view_feeday change_systemaccount"
            ),
        },
    )
