"""How the tests of the contract's rows on collections make an order.

It is created over HTTP and read back as the merchant sees it.
"""

from typing import Any

from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


def create(api: ApiClient, **changes: Any) -> dict[str, Any]:
    """Creates an order and returns it as GET /collect/{id} shows it."""
    response = api.post("/collect", order_body(**changes))
    assert response.status_code == 201, response.content
    return api.get(f"/collect/{response.body['data']['id']}").body["data"]
