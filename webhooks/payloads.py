"""Payloads of events that belong to no other app."""

from rest_framework import serializers


class TestPayload(serializers.Serializer[object]):
    """About no payment."""

    __test__ = False
    merchantId = serializers.CharField()
    message = serializers.CharField()
