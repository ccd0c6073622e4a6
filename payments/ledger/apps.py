"""Application config of the ledger."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.console.registry import (
    EVERYONE,
    OF_OPERATORS,
    AppConsole,
    Entry,
    SearchedModel,
    Section,
)


class LedgerConfig(AppConfig):
    """Tables: Account, Entry, Posting."""

    name = "payments.ledger"
    label = "ledger"
    verbose_name = _("Ledger")
    console = AppConsole(
        sections=(
            Section(
                70,
                _("Ledger"),
                (
                    Entry(_("Accounts"), "account_balance", "ledger.account"),
                    Entry(_("Entries"), "menu_book", "ledger.entry"),
                ),
            ),
        ),
        search=(SearchedModel(model="ledger.entry", prefix="ent"),),
        rights={
            EVERYONE: "view_account",
            OF_OPERATORS: "view_entry view_posting",
        },
    )
