"""Top-ups in the words of a merchant."""

from collections.abc import Mapping

from payments.console.subjects import SubjectFacts
from payments.core import masking
from payments.topup.models import TopUp


def of_topups(ids: list[str]) -> Mapping[str, SubjectFacts]:
    rows = TopUp.objects.filter(pk__in=ids).values_list("pk", "operator_name", "phone")
    return {
        pk: SubjectFacts(party=operator, detail=masking.tail(phone)) for pk, operator, phone in rows
    }
