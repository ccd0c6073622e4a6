"""Labels of provider accounts, for names of the ledger's accounts."""

from collections.abc import Collection

from payments.rails.models import ProviderAccount


def labels_of(slugs: Collection[str]) -> dict[str, str]:
    """Rails without an account, like the simulator, have none."""
    return {account.slug: str(account) for account in ProviderAccount.objects.filter(pk__in=slugs)}
