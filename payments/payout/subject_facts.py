"""Payouts in the words of a merchant."""

from collections.abc import Mapping

from django.utils.translation import gettext

from payments.console.subjects import SubjectFacts
from payments.core import masking
from payments.payout import hooks
from payments.payout.models import Payout


def of_payouts(ids: list[str]) -> Mapping[str, SubjectFacts]:
    names = (
        "reference",
        "description",
        "recipient_name",
        "bank__name",
        "account_number",
        "key_value",
    )
    rows = Payout.objects.filter(pk__in=ids).values_list("pk", *names)
    own = {pk for find in hooks.withdrawals for pk in find(ids)}
    return {
        pk: SubjectFacts(
            operation=gettext("Withdrawal") if pk in own else "",
            reference=reference,
            party=beneficiary,
            detail=" · ".join(
                filter(None, (f"{bank or 'Bre-B'} {masking.contact(account or key)}", description))
            ),
        )
        for pk, reference, description, beneficiary, bank, account, key in rows
    }
