"""What the console says after an action."""

import pytest
from django.utils.translation import override

from merchants.models import Merchant
from payments.console.actions import ConfirmedAction, said
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db
CLOSE = ConfirmedAction(verb="close", title="Close batch", explanation="", submit="Close")


def test_action_without_a_sentence_of_its_own_names_itself_and_the_record() -> None:
    with override("en"):
        assert said(CLOSE, "batch 7") == "“Close batch” is done: batch 7."
        assert said(CLOSE) == "“Close batch” is done."


def test_person_who_deactivates_a_merchant_reads_which_one(
    console: Console, merchant: Merchant
) -> None:
    done = console.submit("merchants_merchant_deactivate", merchant.pk)
    page = console.get(done.headers["Location"])
    (message,) = [str(each) for each in page.context["messages"]]
    assert message.endswith(f"{merchant.name}.")
    assert not message.startswith(("Done:", "Hecho:"))
