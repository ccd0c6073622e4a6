"""Celery tasks of chains. Each account has a task of its own: a slow node delays no other."""

from celery import shared_task
from django.conf import settings

from payments.chains.scanner import runs
from payments.chains.services import chain_accounts
from payments.core import clock_skew


@shared_task
def scan_chains() -> None:
    for account in chain_accounts.list_accounts():
        scan_chain.apply_async(args=[account], expires=settings.CHAIN_SCAN_SECONDS * 2)


@shared_task
def scan_chain(account: str) -> None:
    runs.scan_account(account=account, now=clock_skew.now())
