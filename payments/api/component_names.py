"""The names of the schemas in the OpenAPI document, of which clients make the names of their types.

A serializer gives its class's name, without `Detail`, and a closed list the name of its field. Here
are those whose own name says too little outside their module.
"""

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers

RENAMED = {
    "AgreementPage": "BillingAgreementPage",
    "Ask": "PaymentLinkAsk",
    "AskChange": "PaymentLinkAskUpdate",
    "Asked": "PaymentLinkAskRule",
    "Balance": "CreditedBalance",
    "BillCheckRequest": "BillCheck",
    "BillPay": "BillPaymentCreate",
    "Catalogue": "PayoutCatalogue",
    "CatalogueBank": "PayoutBank",
    "CatalogueMethod": "PayoutMethod",
    "CurrencyBalance": "Balance",
    "DisputeOpening": "DisputeCreate",
    "EventDetail": "FeedEvent",
    "Failure": "ErrorResponse",
    "FieldOption": "DirectMethodFieldOption",
    "KeyType": "BrebKeyType",
    "Limits": "PayoutMethodLimits",
    "LinkChange": "PaymentLinkUpdate",
    "LinkCreate": "PaymentLinkCreate",
    "LinkDetail": "PaymentLink",
    "LinkImage": "PaymentLinkImage",
    "LinkPayload": "PaymentLinkPayload",
    "LinkStatistics": "PaymentLinkStatistics",
    "Method": "PaymentMethod",
    "MethodDescriptor": "DirectMethod",
    "MethodField": "DirectMethodField",
    "MethodFieldType": "DirectMethodFieldType",
    "MethodTerm": "DirectMethodTerm",
    "OwnField": "PaymentLinkField",
    "RequiredField": "PayoutMethodField",
    "Statistics": "CollectionStatistics",
    "UiType": "DirectMethodUiType",
}


def component_name(name: str) -> str:
    return RENAMED.get(name, name.removesuffix("Detail"))


class NamedAutoSchema(AutoSchema):
    def get_serializer_name(self, serializer: serializers.Serializer, direction: Direction) -> str:
        return component_name(super().get_serializer_name(serializer, direction))
