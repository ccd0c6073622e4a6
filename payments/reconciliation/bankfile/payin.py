"""The payin adapter of an operator's own bank account. It answers from imported statements."""

from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext

from payments.core import clock
from payments.providers import ports
from payments.providers.account import RailAccount
from payments.reconciliation.bankfile import credentials
from payments.reconciliation.models import AwaitedTransfer
from payments.reconciliation.services import transfers

KEY = "bankfile_key"


class BankfilePayin:
    """A PayinPort. Threads share it."""

    def __init__(self, account: RailAccount) -> None:
        self._account = account

    @property
    def code(self) -> str:
        return self._account.slug

    def banks(self) -> tuple[ports.Bank, ...]:
        return ()

    def terms(self) -> tuple[ports.Term, ...]:
        return ()

    def direct_methods(self) -> tuple[ports.DirectMethod, ...]:
        if not credentials.key_of(self._account):
            return ()
        return (
            ports.DirectMethod(
                key=KEY,
                label=gettext("Bre-B key"),
                category=ports.Rail.BANK_TRANSFER,
                ui_type=ports.UiType.PUSH,
                flow=ports.Flow.KEY,
                min_amount=Decimal(1),
                max_amount=Decimal(credentials.KEY_MAX),
            ),
        )

    def start(self, request: ports.ChargeRequest, timeout: float) -> ports.ChargeStarted:
        """Calls no bank. A reference that was given before keeps its amount."""
        if timeout <= 0:
            raise ports.ProviderUnreachable("there is no time left")
        is_key = request.direct_method == KEY
        if request.amount <= 0 or (is_key and request.amount > credentials.KEY_MAX):
            raise ports.ProviderRefused(ports.Reason.INVALID_REQUEST, "amount out of range")
        awaited = transfers.await_transfer(
            account=self.code,
            reference=request.reference,
            amount=request.amount,
            expires_at=request.expires_at,
            now=clock.now(),
        )
        return ports.ChargeStarted(
            provider_id=awaited.reference,
            flow=ports.Flow.KEY if is_key else ports.Flow.INSTRUCTIONS,
            key_value=credentials.key_of(self._account) if is_key else None,
            instructions=self._instructions(awaited),
            expires_at=awaited.expires_at,
        )

    def query(self, known: ports.Known) -> ports.ChargeUpdate:
        awaited = transfers.find_transfer(account=self.code, reference=known.reference)
        if awaited is not None:
            return transfers.update_of(awaited)
        return ports.ChargeUpdate(
            reference=known.reference,
            provider_id="",
            status=ports.ChargeStatus.UNKNOWN,
            received=ports.ZERO,
            currency="",
            occurred_at=clock.now(),
        )

    def read_callback(self, callback: ports.Callback, now: datetime) -> ports.ChargeUpdate:
        raise ports.InvalidCallback("a bank account sends no callbacks")

    def _instructions(self, awaited: AwaitedTransfer) -> dict[str, str]:
        given = self._account.credentials
        return {
            "bank": credentials.bank_name(self._account),
            "accountType": given.get("account_type", ""),
            "accountNumber": given.get("account_number", ""),
            "holder": given.get("holder", ""),
            "document": given.get("document", ""),
            "reference": awaited.reference,
            **self._key(awaited.amount),
        }

    def _key(self, amount: Decimal) -> dict[str, str]:
        """The second way to pay, where it may carry the amount."""
        key = credentials.key_of(self._account)
        if not key or amount > credentials.KEY_MAX:
            return {}
        text, takes_amount = credentials.qr_of(self._account)
        if not text:
            return {"key": key}
        return {"key": key, "qr": text, "qrTakesAmount": "yes" if takes_amount else ""}
