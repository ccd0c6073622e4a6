"""The first sale without code."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.console.cockpit import Subject
from payments.console.registry import FirstStep
from payments.links.models import PaymentLink


def steps(subject: Subject) -> Iterator[FirstStep]:
    if subject.may("links.make_paymentlink"):
        yield FirstStep(
            order=1,
            label=_("Create your first payment link"),
            why=_(
                "You share it by WhatsApp or as a QR code, and people pay you: no code is needed."
            ),
            link=reverse("admin:links_paymentlink_new_link"),
            is_done=PaymentLink.objects.filter(merchant=subject.merchant_id).exists(),
        )
