"""Labels of bank accounts, for names of the ledger's accounts."""

from collections.abc import Collection

from payments.reconciliation.models import BankAccount


def labels_of(slugs: Collection[str]) -> dict[str, str]:
    return {account.slug: str(account) for account in BankAccount.objects.filter(pk__in=slugs)}
