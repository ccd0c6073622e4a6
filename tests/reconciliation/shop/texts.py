"""Descriptions as Colombian banks print them; the wording changes in the middle of the month."""

import unicodedata
from datetime import date

from tests.reconciliation.shop.plan import Channel, Disbursement, Naming, Payout, Transfer

CODES = {
    Channel.KEY: "2310",
    Channel.QR: "2312",
    Channel.NEQUI: "2320",
    Channel.BRANCH: "2330",
    Channel.ACH: "2340",
}
REMARKS = ("PEDIDO {}", "PAGO REF {} GRACIAS", "ref:{}", "COMPRA {} CAFE", "No. {}")
CHANGE = 15


def plain(text: str) -> str:
    """Capital letters without accents."""
    folded = unicodedata.normalize("NFD", text.upper())
    return "".join(letter for letter in folded if not unicodedata.combining(letter))


def credit(transfer: Transfer, reference: str) -> str:
    name = "" if transfer.naming is Naming.NOTHING else plain(transfer.payer.name)
    is_new = transfer.booked_on.day > CHANGE
    match transfer.channel:
        case Channel.KEY:
            words = ["PAGO LLAVE", name, reference]
        case Channel.QR:
            words = ["PAGO QR", name, reference]
        case Channel.NEQUI:
            words = ["TRANSFERENCIA DESDE NEQUI", reference, name]
        case Channel.BRANCH:
            words = ["TRANSFERENCIA CTA SUC VIRTUAL", reference, name]
        case _:
            words = ["PAGO DE TERC" if is_new else "PAGO INTERBANC", name, reference]
    return _line(words)


def payout(one: Payout, code: str) -> str:
    word = "PAGO DE NOMI" if one.is_payroll else "PAGO A PROV"
    return _line([word, plain(one.to.person.name)[:22], code])


def payout_return(one: Payout, code: str) -> str:
    return _line(["DEVOLUCION PAGO", plain(one.to.person.name)[:22], code])


def disbursement(one: Disbursement) -> str:
    return "PAGO DE TERC WOMPI SAS" if one.booked_on.day > CHANGE else "PAGO DE PROV WOMPI SAS"


def gmf(day: date) -> str:
    return "GMF" if day.day > CHANGE else "IMPTO GOBIERNO 4X1000"


def _line(words: list[str]) -> str:
    return " ".join(word for word in words if word)
