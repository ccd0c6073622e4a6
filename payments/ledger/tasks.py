from celery import shared_task

from payments.ledger.services import day_totals


@shared_task
def add_day_totals() -> None:
    day_totals.add_postings()
