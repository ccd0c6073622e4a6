"""The company that pays: credentials, origin accounts, banks, and what it may send a day."""

import uuid
from datetime import UTC, datetime, timedelta, timezone

from aiohttp import web

from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store
from tests.rails.wompi_payouts import errors

BOGOTA = timezone(timedelta(hours=-5))


def _id_of(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{name}.wompi-payouts.example"))


def _bank(name: str, code: str, *, origin: bool = False, deposit: bool = False) -> Document:
    return {
        "id": _id_of(name),
        "name": name,
        "code": code,
        "achCode": code.zfill(4),
        "allowedForOrigin": origin,
        "isElectronicDeposit": deposit,
    }


BANKS = [
    _bank("BANCOLOMBIA", "1007", origin=True),
    _bank("BANCO DE BOGOTA", "1001"),
    _bank("BANCO DAVIVIENDA", "1051"),
    _bank("NEQUI", "1507", deposit=True),
]
BANKS_BY_ID = {bank["id"]: bank for bank in BANKS}
ACCOUNT_ID = _id_of("account")


class Company:
    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._money = store.table("money")
        self._days = store.table("day")

    def secret(self, environment: str) -> str:
        """Payouts have an events secret of their own [S]."""
        given = self._settings["events_secret"]
        return given or f"{environment}_events_0123456789fakePAYOUTS"

    @property
    def api_key(self) -> str:
        return self._settings["api_key"] or f"fake-{self._settings['environment']}-api-key"

    @property
    def principal_id(self) -> str:
        return self._settings["principal_id"] or _id_of(
            f"principal-{self._settings['environment']}"
        )

    def authorize(self, request: web.Request) -> None:
        if request.headers.get("x-api-key") != self.api_key:
            raise errors.refuse(errors.UNAUTHORIZED, complaint="wrong x-api-key")
        if request.headers.get("user-principal-id") != self.principal_id:
            raise errors.refuse(errors.UNAUTHORIZED, complaint="wrong user-principal-id")

    def accounts(self) -> list[Document]:
        return [
            {
                "id": ACCOUNT_ID,
                "balanceInCents": self.balance,
                "number": "12345678901",
                "status": "ACTIVE",
                "accountType": "AHORROS",
                "bank": BANKS[0],
            }
        ]

    @property
    def balance(self) -> int:
        return int(self._money.get("balance", self._settings["balance_in_cents"]))

    def credit(self, cents: int) -> None:
        self._money.save("balance", self.balance + cents)

    def today(self) -> str:
        """Days are those of America/Bogota [?]."""
        return self.local_now().strftime("%Y-%m-%d")

    def local_now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.seconds(), UTC).astimezone(BOGOTA)

    def spend(self, amount: int, cost: int) -> None:
        """Refuses, or takes `cost` of the balance and `amount` of the day's limits."""
        used = self._used()
        is_above = used["amount"] + amount > self._settings["daily_limit_in_cents"]
        if is_above or used["batches"] >= self._settings["daily_batches"]:
            raise errors.refuse(errors.DAILY_LIMIT)
        if cost > self.balance:
            raise errors.refuse(errors.INSUFFICIENT_BALANCE)
        self.credit(-cost)
        self._days.save(
            self.today(), {"amount": used["amount"] + amount, "batches": used["batches"] + 1}
        )

    def _used(self) -> dict[str, int]:
        return dict(self._days.get(self.today(), {"amount": 0, "batches": 0}))

    def limits(self) -> Document:
        """The names of these fields are not documented [?]."""
        used = self._used()
        return {
            "dailyAmountInCents": self._settings["daily_limit_in_cents"],
            "dailyPayouts": self._settings["daily_batches"],
            "usedAmountInCents": used["amount"],
            "usedPayouts": used["batches"],
        }
