"""The viewset that every endpoint of the contract builds on."""

from collections.abc import Iterable

from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from payments.api.envelope import Answer, success
from payments.api.limits import LimitedView
from payments.api.serializing import SerializerClass, serialize_many


class ApiViewSet(LimitedView, ViewSet):
    """Authentication, rate limit, envelope. `request.user` is the merchant.

    The order of checks is that of docs/gaps.md; DRF authenticates before it checks the method.
    """

    http_method_names = ["get", "post", "head"]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """DRF checks permissions before throttles; docs/gaps.md counts the request first."""
        self.perform_authentication(request)
        self.check_throttles(request)
        self.check_permissions(request)

    @staticmethod
    def answer(data: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
        return Answer(success(data), status=status, headers=headers)

    @classmethod
    def answer_page(
        cls, serializer_class: SerializerClass, page: tuple[Iterable[object], int]
    ) -> Answer:
        """The rows of a page, and in X-Total-Count how many match in all."""
        rows, total = page
        return cls.answer(
            serialize_many(serializer_class, rows), headers={"X-Total-Count": str(total)}
        )
