"""How a link is passed on: a message for WhatsApp and for e-mail."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.utils.translation import gettext

from payments.core import money
from payments.links.models import PaymentLink


@dataclass(frozen=True, slots=True)
class Shares:
    whatsapp: str
    email: str


def shares_of(link: PaymentLink) -> Shares:
    text = _message(link)
    subject = gettext("Payment link: %(title)s") % {"title": link.title}
    mail = urlencode({"subject": subject, "body": text}, quote_via=quote)
    return Shares(f"https://wa.me/?{urlencode({'text': text})}", f"mailto:?{mail}")


def _message(link: PaymentLink) -> str:
    what = {"shop": link.merchant.name, "title": link.title, "url": link.url}
    if link.total is None:
        return gettext("%(shop)s: %(title)s. Pay here: %(url)s") % what
    what["amount"] = money.shown(link.total, link.currency)
    return gettext("%(shop)s: %(title)s, %(amount)s. Pay here: %(url)s") % what
