"""The viewset that every endpoint of the contract builds on."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, cast

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.serializers import ValidationError
from rest_framework.viewsets import ViewSet

from payments.api import idempotency, parsers, query, unknown_names
from payments.api.envelope import EnvelopeResponse, success
from payments.api.errors import flatten
from payments.api.limits import LimitedView
from payments.api.serializing import SerializerClass, serialize, serialize_many, validate
from payments.core.errors import ValidationFailed


class ApiViewSet(LimitedView, ViewSet):
    """Authenticates, counts and checks permissions, in the order of docs/gaps.md.

    `request.user` is the merchant.
    """

    http_method_names = ["get", "post", "head"]
    unknown_fields: Sequence[str] = ()
    # Those that read query parameters. On the others a parameter is an error.
    query_actions: Collection[str] = ("list",)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """As in DRF, but the request is counted before permissions are checked."""
        self.perform_authentication(request)
        self.check_throttles(request)
        self.check_permissions(request)
        if self.action and self.action not in self.query_actions:
            validate(query.QuerySerializer, request.query_params)

    def finalize_response(self, request: Request, response: HttpResponse, *a: Any, **k: Any) -> Any:
        if self.unknown_fields:
            response.headers[unknown_names.HEADER] = unknown_names.header_value(self.unknown_fields)
        return super().finalize_response(request, response, *a, **k)

    def read_body(
        self,
        serializer_class: SerializerClass,
        request: Request,
        *,
        described_by: SerializerClass | None = None,
    ) -> dict[str, Any]:
        """The valid values of the body. Fields that we do not know are named in a header.

        An account may have them refused. described_by: has all fields, if others read some of
        them. Raises ValidationFailed and rest_framework's ValidationError.
        """
        body = cast(dict[str, object], request.data)  # The parser refuses everything but objects.
        description = described_by or serializer_class
        self.unknown_fields = unknown_names.unknown_fields(description, body)
        merchant: Any = request.user
        if self.unknown_fields and merchant.refuses_unknown_fields:
            raise ValidationFailed(unknown_names.refusals(description, self.unknown_fields))
        try:
            return validate(serializer_class, body)
        except ValidationError as error:
            if parsers.BODY in request.META:
                raise
            raise parsers.EmptyBody(flatten(error.detail)) from error

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
