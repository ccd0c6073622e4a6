"""What an account is for, in a sentence, and whose money is on it."""

from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from payments.console.registry import Text
from payments.ledger.models import Account

Kind = Account.Kind
PURPOSES: dict[Kind, Text] = {
    Kind.AVAILABLE: _("Money of the merchant that can be paid out."),
    Kind.HELD: _("Money of the merchant that a payout, a refund or a dispute holds."),
    Kind.CLEARING: _("What a provider has collected or paid for us and has not settled yet."),
    Kind.FEES: _("What merchants have paid for our service, without taxes."),
    Kind.TAXES: _("Taxes that we have charged and owe to the authorities."),
    Kind.SUSPENSE: _("Money that has arrived and whose purpose is not known yet."),
    Kind.BANK: _("Our money at a bank, as its statements report it."),
    Kind.TRANSIT: _("Money that a provider has sent to our bank and that has not arrived."),
    Kind.COSTS: _("What providers, banks and the state have charged us."),
    Kind.EQUITY: _("Our own money, such as the opening balance of a bank account."),
    Kind.CONVERSION: _("The two sides of an exchange between coins and pesos."),
    Kind.LOSSES: _("What we have lost, such as disputes that the merchant could not pay."),
    Kind.SANDBOX: _("Play money that the sandbox has given to merchants."),
}


def purpose(account: Account) -> Text:
    return PURPOSES[Kind(account.kind)]


def side(balance: Decimal) -> Text:
    """Whose money it is. Empty for zero."""
    if not balance:
        return ""
    return _("we owe it") if balance > 0 else _("we have it")
