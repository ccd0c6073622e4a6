"""The log of API calls keeps numbers that cannot be calculated with, as the merchant sent them."""

import pytest

from payments.api import request_log
from payments.api.models import ApiCall
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("call_log")


@pytest.mark.parametrize("number", ["1E+999999999", "-1E+999999999", "1E-999999999"])
@pytest.mark.parametrize("field", ["amount", "nit"])
def test_a_call_with_a_number_beyond_all_measure_is_kept(
    api: ApiClient, field: str, number: str
) -> None:
    assert api.post("/collect", f'{{"{field}": {number}}}').status_code == 400
    assert request_log.writer.flush()
    (call,) = ApiCall.objects.all()
    assert (call.status, field in call.request_body) == (400, True)
