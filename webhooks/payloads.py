"""`data` of the events that are about no other app."""

from typing import Any

from rest_framework import serializers


class TestPayload(serializers.Serializer[Any]):
    """About no payment."""

    __test__ = False
    merchantId = serializers.CharField()
    message = serializers.CharField()
