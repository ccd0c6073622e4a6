"""The log of API calls keeps what cannot be calculated with: the call that somebody asks about."""

from collections.abc import Iterator
from typing import Any

import pytest

from payments.api import calls
from payments.api.models import ApiCall
from tests.fixtures import ApiClient


@pytest.fixture(autouse=True)
def _log(settings: Any) -> Iterator[None]:
    """On, and written in the test's own transaction."""
    settings.API_LOG = True
    calls.writer.reset()
    calls.writer.threaded = False
    yield
    calls.writer.reset()


@pytest.mark.parametrize("number", ["1E+999999999", "-1E+999999999", "1E-999999999"])
@pytest.mark.parametrize("field", ["amount", "nit"])
def test_a_call_with_a_number_beyond_all_measure_is_kept(
    api: ApiClient, field: str, number: str
) -> None:
    assert api.post("/collect", f'{{"{field}": {number}}}').status_code == 400
    assert calls.writer.flush()
    (call,) = ApiCall.objects.all()
    assert (call.status, field in call.request_body) == (400, True)
