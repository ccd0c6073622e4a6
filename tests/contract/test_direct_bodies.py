"""Bodies of POST /collect/{id}/pay: which fields are refused, and how a mobile may be written."""

from typing import Any

import pytest

from payments.collect.models import Charge
from tests.contract.answers import assert_refused, check_each
from tests.contract.test_direct_rows import FIELDS, body, create, pay
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
BAD_BODIES: list[tuple[dict[str, Any], str]] = [
    ({"method": None}, "method"),
    ({"method": ""}, "method"),
    ({"method": 7}, "method"),
    ({"method": ["pse"]}, "method"),
    ({"method": "x" * 61}, "method"),
    ({"fields": None}, "fields"),
    ({"fields": []}, "fields"),
    ({"fields": "bankCode=1007"}, "fields"),
    ({"fields": {"bankCode": 1007, "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": None, "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": {}, "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": "x" * 201, "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": "1007\x00", "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {}}, "fields.bankCode"),
    ({"fields": {"bankCode": "", "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": "9999", "personType": "NATURAL"}}, "fields.bankCode"),
    ({"fields": {"bankCode": "1007"}}, "fields.personType"),
    ({"fields": {"bankCode": "1007", "personType": "natural"}}, "fields.personType"),
    ({"fields": {**FIELDS["pse"], "phone": "3001234567"}}, "fields.phone"),
    ({"fields": {**FIELDS["pse"], "": "x"}}, "fields"),
    ({"fields": {**FIELDS["pse"], "a b": "x"}}, "fields"),
    ({"fields": {**FIELDS["pse"], "a\x00": "x"}}, "fields"),
    ({"fields": {**FIELDS["pse"], "x" * 61: "x"}}, "fields"),
    ({"payer": []}, "payer"),
    ({"payer": "María"}, "payer"),
    ({"payer": {"name": 7}}, "payer.name"),
    ({"payer": {"name": "x" * 201}}, "payer.name"),
    ({"payer": {"name": "a\nb"}}, "payer.name"),
    ({"payer": {"email": "no"}}, "payer.email"),
    ({"payer": {"email": "a@b.co\r\nBcc: x@y.co"}}, "payer.email"),
    ({"payer": {"phone": "call me"}}, "payer.phone"),
    ({"payer": {"phone": "123"}}, "payer.phone"),
    ({"payer": {"docType": "cc", "docNumber": "1020304050"}}, "payer.docType"),
    ({"payer": {"docType": "CC", "docNumber": "---"}}, "payer.docNumber"),
    ({"payer": {"docType": "CC"}}, "payer.docNumber"),
    ({"payer": {"docNumber": "1020304050"}}, "payer.docType"),
    ({"returnUrl": "http://tienda.example/"}, "returnUrl"),
    ({"returnUrl": "javascript:alert(1)"}, "returnUrl"),
    ({"returnUrl": "https://a:b@tienda.example/"}, "returnUrl"),
    ({"returnUrl": "//tienda.example/"}, "returnUrl"),
    ({"returnUrl": ""}, "returnUrl"),
    ({"returnUrl": 7}, "returnUrl"),
    ({"returnUrl": "https://tienda.example/" + "x" * 2000}, "returnUrl"),
]


def test_a_bad_body_is_refused_by_name_and_starts_nothing(api: ApiClient) -> None:
    order_id = create(api)

    def check(changes: dict[str, Any], field: str) -> None:
        answer = pay(api, order_id, **changes) if "method" not in changes else None
        answer = answer or api.post(f"/collect/{order_id}/pay", {**body("pse"), **changes})
        assert_refused(answer, 400, "VALIDATION_ERROR", field)

    check_each(BAD_BODIES, check)
    for empty in ({}, []):
        assert api.post(f"/collect/{order_id}/pay", empty).status_code == 400
    assert not Charge.objects.exists()
    assert api.get(f"/collect/{order_id}").body["data"]["status"] == "PENDING"


@pytest.mark.parametrize(
    "phone",
    ["", "300123456", "30012345678", "6011234567", "+1 300 123 4567", "３００１２３４５６７"],
)
def test_the_phone_of_a_wallet_is_a_mobile(api: ApiClient, phone: str) -> None:
    answer = pay(api, create(api), "push_wallet", fields={"phone": phone})
    assert_refused(answer, 400, "VALIDATION_ERROR", "fields.phone")


@pytest.mark.parametrize("phone", ["3001234567", "+57 300 123 4567", "57-300-123-4567"])
def test_a_mobile_may_be_written_in_several_ways(api: ApiClient, phone: str) -> None:
    assert pay(api, create(api), "push_wallet", fields={"phone": phone}).status_code == 200
    assert Charge.objects.get().fields == {"phone": "3001234567"}
