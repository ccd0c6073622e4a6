"""The payer, and what a method needs to know of the payer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Who pays. The caller removes dots, dashes and spaces from the document."""

    name: str
    email: str
    phone: str = ""
    document_type: str = ""
    document_number: str = ""
    address: str = ""


class Fact(StrEnum):
    """What a rail may need to know of a payer. DOCUMENT is its type and its number."""

    NAME = "NAME"
    EMAIL = "EMAIL"
    PHONE = "PHONE"
    DOCUMENT = "DOCUMENT"
    ADDRESS = "ADDRESS"


def _every_document() -> Mapping[str, str]:
    return {name: name for name in ("CC", "CE", "NIT", "PP")}


@dataclass(frozen=True, slots=True, kw_only=True)
class PayerNeeds:
    """What a method needs. The caller asks the payer for the facts that the order does not have.

    facts      those that `ChargeRequest.payer` must have.
    documents  the types of document that the method takes: ours, with the rail's name of each. A
               payer with another one cannot pay this way. Counts where DOCUMENT is needed.
    fields     the keys that `ChargeRequest.fields` must have without a direct method, such as
               `bankCode` and `personType` of PSE.
    """

    facts: tuple[Fact, ...] = ()
    documents: Mapping[str, str] = field(default_factory=_every_document)
    fields: tuple[str, ...] = ()

    def missing(self, payer: Payer) -> tuple[Fact, ...]:
        known = {
            Fact.NAME: payer.name,
            Fact.EMAIL: payer.email,
            Fact.PHONE: payer.phone,
            Fact.DOCUMENT: payer.document_number and self.takes(payer.document_type),
            Fact.ADDRESS: payer.address,
        }
        return tuple(fact for fact in self.facts if not known[fact])

    def takes(self, document_type: str) -> bool:
        return Fact.DOCUMENT not in self.facts or document_type in self.documents
