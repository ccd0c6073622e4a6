"""What operators do with payment files: close, approve, download, enter the bank's answer."""

from payments.core import clock, days
from payments.payment_files.models import BatchLine, PaymentBatch
from payments.payment_files.services import answers, batches, declarations, files
from payments.payment_files.services.decisions import Person
from tests.reconciliation.shop.plan import Batch, Fate, Names

FIRST, SECOND = "olga", "pablo"


def code_of(payout_id: str) -> str:
    return BatchLine.objects.get(payment_id=payout_id).code


def hand_over(account: str) -> bytes:
    """One person closes the open batch, another one approves and downloads it."""
    now = clock.now()
    batch = PaymentBatch.objects.get(account=account, status="OPEN")
    person = Person(actor=FIRST, reason="of today")
    batches.close(batch_id=batch.pk, pay_on=days.day_of(now), person=person, now=now)
    batches.approve(batch_id=batch.pk, person=Person(actor=SECOND, reason="seen"), now=now)
    file = files.download(batch_id=batch.pk, actor=SECOND, reason="to the bank", now=now)
    return bytes(file.content)


def bank_answers(batch: Batch, names: Names) -> None:
    """The bank refused some lines: an operator writes it down, another one agrees."""
    refused = [names.codes[one.key] for one in batch.payouts if one.fate is Fate.REFUSED]
    if not refused:
        return
    rows = "".join(f"{code},FAILED,the account does not exist\n" for code in refused)
    line = BatchLine.objects.get(code=refused[0])
    answers.take_answer(
        batch_id=line.batch_id,
        upload=answers.Upload(name="answer.csv", data=f"code,status,reason\n{rows}".encode()),
        actor=FIRST,
        now=clock.now(),
    )
    agreeing = Person(actor=SECOND, reason="seen in the portal")
    declarations.approve_all(batch_id=line.batch_id, person=agreeing, now=clock.now())
