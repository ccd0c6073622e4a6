"""The first sale without code."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Order
from payments.console.cockpit import Subject
from payments.console.registry import FirstStep
from payments.links.models import PaymentLink


def steps(subject: Subject) -> Iterator[FirstStep]:
    """A merchant that sells through the API alone needs no link."""
    if subject.may("links.make_paymentlink"):
        has_links = PaymentLink.objects.filter(merchant=subject.merchant_id).exists()
        if not has_links and Order.objects.filter(merchant=subject.merchant_id).exists():
            return
        yield FirstStep(
            order=1,
            label=_("Create your first payment link"),
            why=_(
                "You share it by WhatsApp or as a QR code, and people pay you: no code is needed."
            ),
            link=reverse("admin:links_paymentlink_new_link"),
            is_done=has_links,
        )
