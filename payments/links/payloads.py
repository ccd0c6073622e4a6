"""`data` of the event about a paid link: what is sent, and documented."""

from rest_framework import serializers

from payments.collect.payloads import CompletionPayload
from payments.links.models import PaymentLink


class LinkPart(serializers.Serializer[PaymentLink]):
    """What the event says beside the order."""

    linkCode = serializers.CharField(source="code", help_text="The end of its address.")
    linkTitle = serializers.CharField(source="title")
    linkUrl = serializers.URLField(source="url")


class LinkPayload(CompletionPayload, LinkPart):
    """The order that a payer of the link has paid, the try that paid it, and the link."""
