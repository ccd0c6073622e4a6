"""Whom an alert reaches: the merchant's contact and its administrators."""

import hashlib

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet

from merchants.legal import services as legal
from merchants.models import Merchant
from payments.console import roles
from payments.mail import outbox


def addresses(merchant: Merchant, *, people: QuerySet[User] | None = None) -> list[str]:
    """Each mailbox once. `people` in place of contact and administrators."""
    found = [] if people is not None else [_contact(merchant)]
    users = _administrators(merchant) if people is None else people
    found += [user.email for user in users]
    mailboxes = {address.lower(): address for address in found if outbox.is_address(address)}
    return [mailboxes[key] for key in sorted(mailboxes)]


def alert(
    *, merchant: Merchant, template: str, context: dict[str, object], key: str, to: list[str]
) -> None:
    """One mail for each address and key."""
    for address in to:
        digest = hashlib.sha256(address.lower().encode()).hexdigest()[:16]
        outbox.send(
            to=address,
            template=template,
            context={**context, "merchant": merchant},
            language=settings.LANGUAGE_CODE,
            key=f"{key}:{digest}",
            merchant_id=merchant.pk,
        )


def _contact(merchant: Merchant) -> str:
    data = legal.find(merchant)
    return (data.contact_email if data else "") or merchant.email


def _administrators(merchant: Merchant) -> QuerySet[User]:
    return User.objects.filter(
        is_active=True,
        membership__merchant=merchant,
        groups__name=roles.MERCHANT_ADMINISTRATOR,
    ).distinct()
