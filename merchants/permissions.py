"""What a merchant and its key may do (contract, Authentication 5)."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from merchants.authentication import merchant_of
from merchants.models import ApiKey
from payments.core.errors import ServiceError


class Forbidden(ServiceError):
    """403: the merchant is not enabled for the product, or the key lacks the permission."""

    status = 403
    code = "FORBIDDEN"


class DirectApiNotEnabled(ServiceError):
    """503, as the contract says: the account has not been given the Direct API."""

    status = 503
    code = "DIRECT_API_NOT_ENABLED"
    message = "The Direct API is not enabled for this merchant."


class DirectApiEnabled(BasePermission):
    refusal = DirectApiNotEnabled

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not merchant_of(request).direct_api_enabled:
            raise DirectApiNotEnabled
        return True


class PayoutEnabled(BasePermission):
    """Reads need the merchant's enablement; the view's `key_permissions` need the key's, too."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not merchant_of(request).payout_enabled:
            raise Forbidden("Payouts by API are not enabled for this merchant.")
        wanted = getattr(view, "key_permissions", {}).get(getattr(view, "action", None))
        if wanted and wanted not in key_of(request).permissions:
            raise Forbidden(f"This API key does not hold the permission {wanted}.")
        return True


class KeyPermission(BasePermission):
    """The key must hold `permission` for these actions of the view."""

    permission = ""
    actions: frozenset[str] = frozenset()

    def has_permission(self, request: Request, view: APIView) -> bool:
        is_needed = getattr(view, "action", None) in self.actions
        if is_needed and self.permission not in key_of(request).permissions:
            raise Forbidden(f"This API key does not hold the permission {self.permission}.")
        return True


def key_of(request: Request) -> ApiKey:
    key = request.auth
    assert isinstance(key, ApiKey)  # noqa: S101  set by ApiKeyAuthentication
    return key
