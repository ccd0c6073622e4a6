"""The viewset that every endpoint of the contract builds on."""

from collections.abc import Iterable

from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from payments.api import idempotency
from payments.api.envelope import EnvelopeResponse, success
from payments.api.limits import LimitedView
from payments.api.serializing import SerializerClass, serialize, serialize_many


class ApiViewSet(LimitedView, ViewSet):
    """Authenticates, counts and checks permissions, in the order of docs/gaps.md.

    `request.user` is the merchant.
    """

    http_method_names = ["get", "post", "head"]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """As in DRF, but the request is counted before permissions are checked."""
        self.perform_authentication(request)
        self.check_throttles(request)
        self.check_permissions(request)

    @staticmethod
    def answer(
        data: object, *, status: int = 200, headers: dict[str, str] | None = None
    ) -> EnvelopeResponse:
        return EnvelopeResponse(success(data), status=status, headers=headers)

    @classmethod
    def answer_created(
        cls, serializer_class: SerializerClass, created: tuple[object, bool]
    ) -> EnvelopeResponse:
        """201 with the resource, and a header if an earlier request with the key created it."""
        resource, is_replayed = created
        headers = idempotency.REPLAYED if is_replayed else None
        return cls.answer(serialize(serializer_class, resource), status=201, headers=headers)

    @classmethod
    def answer_page(
        cls, serializer_class: SerializerClass, page: tuple[Iterable[object], int]
    ) -> EnvelopeResponse:
        """The header X-Total-Count has the number of rows on all pages."""
        rows, total = page
        return cls.answer(
            serialize_many(serializer_class, rows), headers={"X-Total-Count": str(total)}
        )
