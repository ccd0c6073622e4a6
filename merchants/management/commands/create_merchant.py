"""`manage.py create_merchant NAME`: an account with its first key pair, printed once."""

from argparse import ArgumentParser, ArgumentTypeError
from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction

from merchants import services, url_safety
from merchants.management.base import SEVERAL, OperatorCommand, add_permission_option, unique
from merchants.models import SWITCHES, Merchant, optional_event_choices
from payments.core import clock, money
from payments.core.ids import new_id
from payments.ledger import recipes

PRODUCTS = [name.removesuffix("_enabled") for name in SWITCHES]
Funds = tuple[str, Decimal]


class Command(OperatorCommand):
    help = "Creates a merchant with its first API key and prints the credentials, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--email", default="")
        parser.add_argument(
            "--enable", **SEVERAL, choices=PRODUCTS, help="products that need enablement"
        )
        add_permission_option(parser)
        optional_events = [kind for kind, _ in optional_event_choices()]
        parser.add_argument("--webhook-url", default="", metavar="URL")
        parser.add_argument(
            "--event",
            **SEVERAL,
            choices=optional_events,
            metavar="EVENT",
            help="event kinds beyond payment.completed and payment.failed: "
            + ", ".join(optional_events),
        )
        parser.add_argument(
            "--balance",
            **SEVERAL,
            type=funds,
            metavar="CURRENCY=AMOUNT",
            help="sandbox money, e.g. COPM=5000000 USDT=100",
        )
        parser.add_argument("--inactive", action="store_true", help="the account starts inactive")

    def result(self, **options: Any) -> dict[str, object]:
        if options["balance"] and not settings.SANDBOX:
            raise CommandError("--balance credits sandbox money, and SANDBOX is off.")
        if options["webhook_url"]:
            url_safety.check_url(
                options["webhook_url"], allow_private=settings.WEBHOOK_ALLOW_PRIVATE
            )
        products: dict[str, Any] = {f"{name}_enabled": True for name in options["enable"]}
        with transaction.atomic():
            merchant, webhook_secret = services.create_merchant(
                name=options["name"].strip(),
                actor=self.actor,
                email=options["email"],
                webhook_url=options["webhook_url"],
                event_kinds=unique(options["event"]),
                is_active=not options["inactive"],
                **products,
            )
            key, secret = services.issue_api_key(
                merchant=merchant, actor=self.actor, permissions=unique(options["permission"])
            )
            credit_sandbox(merchant, options["balance"])
        return {
            "merchantId": merchant.pk,
            "apiKey": key.public_key,
            "apiSecret": secret,
            "webhookSecret": webhook_secret,
        }


def funds(text: str) -> Funds:
    """Parses `COPM=5000000`. argparse shows the error as wrong usage."""
    currency, _, amount = text.partition("=")
    balances = [money.balance_currency(code) for code in settings.CURRENCIES]
    if currency not in balances:
        choices = ", ".join(unique(balances))
        raise ArgumentTypeError(f"{text!r}: balances are held in {choices} (CURRENCY=AMOUNT).")
    try:
        value = Decimal(amount)
    except InvalidOperation:
        raise ArgumentTypeError(f"{text!r}: the amount is not a number.") from None
    if not value.is_finite() or not 0 < value <= settings.MAX_AMOUNT:
        limit = settings.MAX_AMOUNT
        raise ArgumentTypeError(f"{text!r}: the amount must be above 0 and up to {limit}.")
    if value != money.quantize(value, currency):
        raise ArgumentTypeError(f"{text!r}: the smallest unit is {money.quantum(currency)}.")
    return currency, value


def credit_sandbox(merchant: Merchant, balances: list[Funds]) -> None:
    for currency, amount in balances:
        recipes.sandbox_credited(
            merchant_id=merchant.pk,
            currency=currency,
            amount=amount,
            reference=new_id("fund"),
            now=clock.now(),
        )
