"""`data` of the events that are about no other app."""

from rest_framework import serializers


class TestPayload(serializers.Serializer[object]):
    """About no payment."""

    __test__ = False
    merchantId = serializers.CharField()
    message = serializers.CharField()
