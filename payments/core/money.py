"""Money, in units of its currency (pesos, bitcoin) and not in cents. Only this module rounds it."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from django.conf import settings
from django.utils.translation import get_language
from simplejson import RawJSON

# Column size of every amount in the database: 12 digits before the point, 8 after (BTC, ETH).
MAX_DIGITS = 24
DECIMAL_PLACES = 8
FIAT = "COP"
BALANCE_OF_FIAT = "COPM"


def quantum(currency: str) -> Decimal:
    """The smallest unit in the ledger: 1 peso, 0.000001 USDT, 0.00000001 BTC."""
    unit: Decimal = settings.CURRENCIES[currency]["quantum"]
    return unit


def quantize(amount: Decimal, currency: str) -> Decimal:
    return amount.quantize(quantum(currency), rounding=ROUND_HALF_UP)


def quantize_up(amount: Decimal, currency: str) -> Decimal:
    """For what a payer owes."""
    return amount.quantize(quantum(currency), rounding=ROUND_CEILING)


def quantize_down(amount: Decimal, currency: str) -> Decimal:
    """For what received money is worth."""
    return amount.quantize(quantum(currency), rounding=ROUND_FLOOR)


def input_decimals(currency: str) -> int:
    """How many decimals a request may have. COP has 2, although cents are not in use."""
    return int(settings.CURRENCIES[currency]["input_decimals"])


def truncate(amount: Decimal, currency: str) -> Decimal:
    """Drops the decimals that we do not keep. Ether has 18, we keep 8."""
    return amount.quantize(Decimal(1).scaleb(-input_decimals(currency)), rounding=ROUND_FLOOR)


def percentage_fee(amount: Decimal, rate: Decimal, currency: str) -> Decimal:
    """Rounded half up to the quantum: 1,000 COP at 0.0005 is 1 COP (contract, Fees)."""
    return quantize(amount * rate, currency)


def balance_currency(currency: str) -> str:
    """COP is credited to a COPM balance at 1:1."""
    return BALANCE_OF_FIAT if currency == FIAT else currency


def number(amount: Decimal | None) -> int | RawJSON | None:
    """A JSON number without an exponent: 50025, 0.0005."""
    if amount is None:
        return None
    if amount == (whole := int(amount)):
        return whole
    return RawJSON(text(amount))


def text(amount: Decimal) -> str:
    """Plain decimal text without exponent or trailing zeros: "50025", "0.0005"."""
    plain = f"{amount:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def signs() -> tuple[str, str]:
    """Between thousands and before decimals, in the language of the reader.

    Django's format has a narrow space where Colombia writes a dot.
    """
    is_spanish = (get_language() or "").startswith("es")
    return (".", ",") if is_spanish else (",", ".")


def grouped(plain: str) -> str:
    """`1.234,5` in Spanish, `1,234.5` in English. `plain` is decimal text and may have a sign."""
    thousands, point = signs()
    sign, digits = (plain[0], plain[1:]) if plain[:1] in ("-", "+") else ("", plain)
    whole, _point, decimals = digits.partition(".")
    shown = f"{int(whole):,}".replace(",", thousands)
    return f"{sign}{shown}{point if decimals else ''}{decimals}"


def digits(amount: Decimal, currency: str) -> str:
    """`50.025`, with both cents if there are any: `50.025,50`; coins without trailing zeros."""
    plain = text(amount)
    if currency in (FIAT, BALANCE_OF_FIAT) and len(plain.partition(".")[2]) == 1:
        plain += "0"
    return grouped(plain)


@dataclass(frozen=True, slots=True)
class Spoken:
    """`50,025 COP`, `0.00012646 BTC`, in a sentence that may be shown in another language later."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return f"{digits(self.amount, self.currency)} {self.currency}"


def shown(amount: Decimal, currency: str) -> str:
    """`$ 50.025 COP`, with cents only if there are any; `0,00012646 BTC`.

    Coins have two decimals or more. `50.025,00 USDT`: a wallet would write `50.025` for fifty coins
    and a bit.
    """
    if currency in (FIAT, BALANCE_OF_FIAT):
        return f"$ {digits(Decimal(f'{amount:.2f}'), FIAT)} {FIAT}"
    plain = text(amount)
    if len(plain.partition(".")[2]) < 2:
        plain = f"{amount:.2f}"
    return f"{grouped(plain)} {currency}"
