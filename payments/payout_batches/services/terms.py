"""What every line of a file is compared with, read once: methods, banks and routes."""

from decimal import Decimal

from merchants.models import Merchant
from payments.core import money
from payments.payout.declaration import PAYOUTS
from payments.payout.models import Bank, Network, PayoutMethod
from payments.payout.services import catalogue
from payments.payout.services.payout_accounts import PROVIDERS
from payments.payout_batches.files.values import WrongValue
from payments.payout_batches.models import LineStatus, PayoutBatch
from payments.payout_batches.services.bank_names import BankNames
from payments.rails.services.routing import Demand, RouteTable


class Terms:
    """
    merchant  whose routes count.
    """

    def __init__(self, merchant: Merchant) -> None:
        self._merchant_id = merchant.pk
        banks = list(Bank.objects.filter(is_enabled=True).order_by("name"))
        self.banks = BankNames(banks)
        self.by_slug = {bank.slug: bank for bank in banks}
        self._methods = {row.network: row for row in _methods()}
        self._routes = RouteTable.load(PAYOUTS.name)

    def fee_of(self, network: str, amount: Decimal) -> Decimal:
        """In pesos. Raises WrongValue if the amount cannot be paid."""
        method = self._methods.get(network)
        if method is None:
            raise WrongValue("network_off")
        if amount > method.max_amount:
            raise WrongValue("amount_max", most=money.shown(method.max_amount, money.FIAT))
        if method.min_amount is not None and amount < method.min_amount:
            raise WrongValue("amount_min", least=money.shown(method.min_amount, money.FIAT))
        return method.fee_of(amount)

    def is_other_fee(self, network: str, amount: Decimal | None, fee: Decimal | None) -> bool:
        """Not of an amount that cannot be paid now."""
        try:
            return amount is not None and self.fee_of(network, amount) != fee
        except WrongValue:
            return False

    def account_for(self, network: str, amount: Decimal, bank: Bank | None = None) -> str:
        """The account of a rail that would carry the payout. Empty without one."""
        demand = Demand(
            method=network, currency=money.FIAT, merchant_id=self._merchant_id, amount=amount
        )
        for account in self._routes.accounts_for(demand):
            if network not in PROVIDERS.get(account).networks():
                continue
            if bank is None or account in bank.codes:
                return account
        return ""


def fees_changed(batch: PayoutBatch) -> bool:
    """Whether the tariff gives a line another fee than the one that people see."""
    rows = batch.lines.filter(status=LineStatus.WAITING)
    terms = Terms(batch.merchant)
    priced = rows.values_list("network", "amount", "fee_amount").distinct()
    return any(terms.is_other_fee(network, amount, fee) for network, amount, fee in priced)


def _methods() -> list[PayoutMethod]:
    """None while payouts are switched off."""
    if not catalogue.is_enabled():
        return []
    return list(PayoutMethod.objects.filter(is_enabled=True, network__in=Network.values))
