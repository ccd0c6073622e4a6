"""The account to which a new merchant withdraws."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.console.cockpit import Subject
from payments.console.registry import FirstStep
from payments.withdrawals.models import BankAccount


def steps(subject: Subject) -> Iterator[FirstStep]:
    if subject.may("withdrawals.enter_bankaccount"):
        yield FirstStep(
            order=3,
            label=_("Register your bank account"),
            why=_(
                "You withdraw your balance to a bank account of your business. Pasarela verifies "
                "it first."
            ),
            link=reverse("admin:withdrawals_bankaccount_enter"),
            is_done=BankAccount.objects.filter(merchant=subject.merchant_id).exists(),
        )
