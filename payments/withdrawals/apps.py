from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry


class WithdrawalsConfig(AppConfig):
    name = "payments.withdrawals"
    label = "withdrawals"
    verbose_name = _("Withdrawals")
    console = registry.AppConsole(
        sections=(
            registry.section(
                20,
                _("Payouts"),
                registry.Entry(
                    _("Accounts for withdrawals"),
                    "account_balance",
                    "withdrawals.bankaccount",
                    order=5,
                    group=registry.MONEY,
                    merchant_label=_("Withdrawals"),
                ),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=75,
                label=_("Bank accounts of merchants to verify"),
                model="withdrawals.bankaccount",
                where=lambda now: Q(status="UNVERIFIED"),
                query="status__exact=UNVERIFIED",
                for_operators_only=True,
            ),
        ),
        search=(registry.searched("withdrawals.bankaccount", "ba"),),
        shortcuts=(
            registry.Shortcut(
                order=4,
                label=_("Withdraw the balance"),
                icon="account_balance",
                url_name="admin:withdrawals_bankaccount_changelist",
                right="withdrawals.withdraw_bankaccount",
            ),
        ),
        first_steps="payments.withdrawals.first_steps.steps",
        rights={
            registry.EVERYONE: "view_bankaccount view_withdrawal",
            registry.APPROVER: "verify_bankaccount",
            registry.MERCHANT_PREPARER: "withdraw_bankaccount",
            registry.MERCHANT_ADMINISTRATOR: "enter_bankaccount withdraw_bankaccount",
        },
        right_names={
            "verify_bankaccount": gettext_noop("Can verify bank accounts of merchants"),
            "enter_bankaccount": gettext_noop("Can enter the merchant's bank account"),
            "withdraw_bankaccount": gettext_noop("Can withdraw to the merchant's bank account"),
        },
    )

    def ready(self) -> None:
        from payments.payout.hooks import refusals, withdrawals

        refusals.add("payments.withdrawals.services.withdrawals.refusal")
        withdrawals.add("payments.withdrawals.services.withdrawals.titles")
