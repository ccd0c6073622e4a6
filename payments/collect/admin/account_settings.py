"""The ways to pay, among the settings that a merchant's people read about their account."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.collect.admin import offered_ways
from payments.console.account_settings import ENABLED, Setting
from payments.console.cockpit import Subject


def settings(subject: Subject) -> Iterator[Setting]:
    merchant = Merchant.objects.defer("webhook_secret").get(pk=subject.merchant_id)
    names = ", ".join(offered_ways.of_merchant(merchant))
    yield Setting(part=ENABLED, label=_("Ways to pay on your page"), value=names)
