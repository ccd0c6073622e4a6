"""The operators of GET /topup/operators, what they sell, and the terms of all top-ups."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import structlog
from django.conf import settings
from django.db.models import QuerySet
from django.templatetags.static import static

from payments.core.catalogue_versions import KeptRows
from payments.core.errors import ValidationFailed
from payments.outgoing.catalogue_changes import add_missing
from payments.outgoing.models import check_limits
from payments.providers import registry
from payments.topup.models import LOGO_OF_OTHERS, Operator, TopUpTerms, logo_path
from payments.topup.services.engine import PROVIDERS
from payments.topup.services.errors import TopupsSwitchedOff

log = structlog.get_logger(__name__)
# docs/gaps.md, Top-ups: the rows of a new installation.
DEFAULT_CAP = 500_000
DEFAULT_MINIMUM = 1_000
# In a message.
SHOWN_PACKAGES = 10
PACKAGES = [5_000, 10_000, 20_000, 30_000, 50_000]
# Code, name, the simulator's code, and the only amounts that are sold; empty for any amount.
DEFAULTS: tuple[tuple[str, str, str, list[int]], ...] = (
    ("claro", "Claro", "CLA", []),
    ("movistar", "Movistar", "MOV", []),
    ("tigo", "Tigo", "TIG", []),
    ("wom", "WOM", "WOM", []),
    ("virgin", "Virgin Mobile", "VIR", []),
    ("etb", "ETB", "ETB", []),
    ("movil-exito", "Móvil Éxito", "EXI", []),
    ("flash", "Flash Mobile", "FLA", PACKAGES),
    ("uff", "Uff Móvil", "UFF", []),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """What an operator sells under the current terms. Without `packages`, any amount within the
    limits.
    """

    operator: Operator
    minimum: Decimal | None
    maximum: Decimal
    packages: list[int] | None

    @property
    def logo(self) -> str:
        return f"{settings.PUBLIC_URL}{_static_url(self.operator)}"


def offers() -> list[Offer]:
    """The offers by operator's name; none while top-ups are switched off."""
    terms = TopUpTerms.objects.filter(is_enabled=True).first()
    if terms is None:
        return []
    return [_offer(operator, terms) for operator in _reached().order_by("name", "code")]


@dataclass(frozen=True, slots=True)
class CatalogueRows:
    """All threads share them, so they are never changed."""

    # None while top-ups are switched off.
    terms: TopUpTerms | None
    # Enabled, by code.
    operators: Mapping[str, Operator]

    @classmethod
    def read(cls) -> "CatalogueRows":
        return cls(
            terms=TopUpTerms.objects.filter(is_enabled=True).first(),
            operators=Operator.objects.filter(is_enabled=True).in_bulk(),
        )


_kept = KeptRows(CatalogueRows.read)


def find_offer(code: str, *, versions: str | None) -> tuple[Offer, TopUpTerms]:
    """`versions` of the catalogues (payments.core.catalogue_versions).

    Raises TopupsSwitchedOff, ValidationFailed.
    """
    rows = _kept.at(versions)
    terms, operator = rows.terms, rows.operators.get(code)
    if terms is None:
        raise TopupsSwitchedOff
    if operator is None or PROVIDERS.configured_code not in operator.codes:
        raise ValidationFailed({"operatorCode": "Is not an operator of GET /topup/operators."})
    return _offer(operator, terms), terms


def check_amount(offer: Offer, amount: Decimal) -> None:
    """Raises AmountAboveLimit, AmountBelowMinimum, ValidationFailed (not one of the packages)."""
    check_limits(amount, offer.minimum, offer.maximum, "amountCop")
    if offer.packages is not None and amount not in offer.packages:
        amounts = ", ".join(f"{int(one):,}" for one in offer.packages[:SHOWN_PACKAGES])
        message = f"Must be an amount that {offer.operator.name} sells, in COP: {amounts}."
        raise ValidationFailed({"amountCop": message}, allowedAmounts=offer.packages)


def load_catalogue(*, now: datetime) -> int:
    """Adds missing operators and terms; returns how many rows."""
    made = add_missing(TopUpTerms, [TopUpTerms(id=1, max_amount=DEFAULT_CAP)])
    if not registry.is_simulated(PROVIDERS.configured_code):
        return made  # A real rail has its own codes.
    operators = [
        Operator(
            code=code,
            name=name,
            logo=code,
            min_amount=DEFAULT_MINIMUM,
            allowed_amounts=packages,
            codes={PROVIDERS.configured_code: rail_code},
        )
        for code, name, rail_code, packages in DEFAULTS
    ]
    return made + add_missing(Operator, operators)


def _reached() -> QuerySet[Operator]:
    return Operator.objects.filter(is_enabled=True, codes__has_key=PROVIDERS.configured_code)


def _offer(operator: Operator, terms: TopUpTerms) -> Offer:
    minimum = max(_given(operator.min_amount, terms.min_amount), default=None)
    maximum = min(_given(operator.max_amount, terms.max_amount))
    packages = None
    if operator.allowed_amounts:
        fitting = (one for one in operator.allowed_amounts if (minimum or 0) <= one <= maximum)
        packages = sorted(set(fitting))
    return Offer(operator, minimum, maximum, packages)


def _given(*amounts: Decimal | None) -> Iterable[Decimal]:
    return [amount for amount in amounts if amount is not None]


def _static_url(operator: Operator) -> str:
    """In production the name contains a fingerprint. A missing file must not cause a 500."""
    try:
        return static(logo_path(operator.logo))
    except ValueError:
        log.warning("topup.logo_missing", operator=operator.pk, logo=operator.logo)
        return static(logo_path(LOGO_OF_OTHERS))
