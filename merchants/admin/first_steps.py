"""What the people of a new merchant do first about their account."""

from collections.abc import Iterator

from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from merchants.legal.models import LegalData
from merchants.models import Membership
from merchants.team.models import Invitation
from payments.console.cockpit import Subject
from payments.console.registry import FirstStep


def steps(subject: Subject) -> Iterator[FirstStep]:
    if subject.may("merchants.legal_merchant"):
        yield FirstStep(
            order=2,
            label=_("Give the legal data of your business"),
            why=_("Name, NIT and contact: payers see them on the page and on the receipt."),
            link=reverse(
                "admin:merchants_merchant_set_legal_data", args=[quote(subject.merchant_id)]
            ),
            is_done=LegalData.objects.filter(merchant=subject.merchant_id).exists(),
        )
    if subject.may("merchants.people_merchant"):
        colleagues = Membership.objects.filter(merchant=subject.merchant_id)[:2].count()
        # Not one that was used: a person who is alone may have come by one.
        open_ones = Invitation.objects.filter(Invitation.is_open(subject.now))
        invited = open_ones.filter(merchant=subject.merchant_id).exists()
        yield FirstStep(
            order=4,
            label=_("Invite a colleague"),
            why=_("Payouts that one person prepares are approved by another one."),
            link=reverse("admin:merchants_membership_invite"),
            is_done=colleagues > 1 or invited,
        )
