import pytest
from django.utils import translation


@pytest.fixture(autouse=True, scope="package")
def _english():
    """Reasons of refusals are compared in English."""
    with translation.override("en"):
        yield
