"""The viewset that every endpoint of the contract builds on."""

from typing import Any

from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from payments.api.envelope import Answer, success
from payments.api.limits import LimitedView


class ApiViewSet(LimitedView, ViewSet):
    """Authentication, rate limit, envelope. `request.user` is the merchant.

    The order of checks is that of docs/gaps.md; DRF authenticates before it looks at the method.
    """

    http_method_names = ["get", "post", "head"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """DRF checks permissions before throttles; docs/gaps.md counts the request first."""
        self.perform_authentication(request)
        self.check_throttles(request)
        self.check_permissions(request)

    @staticmethod
    def answer(data: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
        """The success envelope."""
        return Answer(success(data), status=status, headers=headers)
