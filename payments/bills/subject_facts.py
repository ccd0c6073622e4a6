"""Bill payments in the words of a merchant."""

from collections.abc import Mapping

from payments.bills.models import BillPayment
from payments.console.subjects import SubjectFacts


def of_bill_payments(ids: list[str]) -> Mapping[str, SubjectFacts]:
    names = ("agreement_name", "bill_reference")
    rows = BillPayment.objects.filter(pk__in=ids).values_list("pk", *names)
    return {pk: SubjectFacts(reference=reference, party=name) for pk, name, reference in rows}
