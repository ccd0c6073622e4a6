"""Reading settlement files: tolerant in names, strict in arithmetic."""

from datetime import date
from decimal import Decimal

import pytest
from django.utils import translation

from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.settlement_formats import wompi
from tests.reconciliation.wompi_files import DAY, HEADER, data, sale, text

TODAY = date(2026, 3, 10)


def read(content: bytes, **given: object):
    return wompi.parse(content, today=TODAY, **given)


def refusal(content: bytes, **given: object) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        read(content, **given)
    return caught.value


def test_a_payment_is_read_to_the_cent_with_every_deduction():
    [disbursement] = read(data(sale(1, "51500.50", ica=Decimal("213.21"))))
    [payment] = disbursement.payments
    assert disbursement.day == DAY
    assert payment.transaction_id == "1292-1602113477-10985"
    assert payment.paid_on == date(2026, 3, 2)
    # 0.0235 * 51,500.50 + 400 = 1,610.26175, and the IVA is that of the uncut commission.
    assert payment.deductions["commission"] == Decimal("1610.26")
    assert payment.deductions["vat"] == Decimal("305.94")
    assert payment.deductions["income_tax_withheld"] == Decimal("772.50")
    assert payment.deductions["ica_withheld"] == Decimal("213.21")
    assert disbursement.net == Decimal("48598.59")


def test_each_day_of_a_file_is_a_disbursement_of_its_own():
    found = read(data(sale(1), sale(2, day=date(2026, 3, 4)), sale(3)))
    assert [(one.day.day, len(one.payments)) for one in found] == [(3, 2), (4, 1)]


@pytest.mark.parametrize(
    "header",
    [
        HEADER.upper(),
        "transaction_id,reference,created_at,disbursement_date,amount,commission,commission_vat,"
        "reteica,reteiva,retefuente,impoconsumo,disbursed_amount",
        "Id de la Transacción,Referencia de pago,Fecha,Fecha de abono,Valor bruto,Comisión Wompi,"
        "IVA de la comisión,Rete ICA,Rete IVA,Retención en la fuente,Impuesto al consumo,Neto",
    ],
)
def test_spanish_and_english_names_of_columns_are_understood(header: str):
    [disbursement] = read(data(sale(1), header=header))
    assert disbursement.net == sale(1).net


def test_of_two_iva_columns_the_one_of_the_commission_counts():
    rows = text(sale(1)).splitlines()
    content = "\n".join([rows[0] + ",IVA", rows[1] + ",7983.19"]).encode()
    assert read(content)[0].net == sale(1).net


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_encodings_of_spreadsheets_are_read(encoding: str):
    assert read(text(sale(1)).encode(encoding))[0].net == sale(1).net


def test_semicolons_and_colombian_amounts_are_read():
    header = "Referencia;Fecha desembolso;Monto;Comisión;IVA comisión;Neto"
    row = 'chg_1;03/03/2026;"$ 1.050.000,50";1.575,00;299,25;1.048.126,25'
    [disbursement] = read(f"Mi Comercio SAS\n\n{header}\n{row}\n".encode())
    assert disbursement.net == Decimal("1048126.25")
    assert disbursement.payments[0].line == 4


def test_deductions_below_zero_mean_the_same():
    rows = text(sale(1, "10000", changes={"commission": Decimal(-635)})).splitlines()
    cells = rows[1].split(",")
    cells[6:11] = ["-120.65", "0", "0", "-150", "0"]
    cells[11] = "9094.35"
    [disbursement] = read("\n".join([rows[0], ",".join(cells)]).encode())
    assert disbursement.total("commission") == 635
    assert disbursement.net == Decimal("9094.35")


def test_a_row_whose_net_is_a_cent_off_refuses_the_file_with_its_line():
    wrong = sale(2, changes={"net": sale(2).net + Decimal("0.01")})
    error = refusal(data(sale(1), wrong))
    assert error.line == 3
    assert str(sale(2).net) in error.reason
    assert str(sale(2).net + Decimal("0.01")) in error.reason


def test_an_unknown_deduction_is_named_when_the_figures_do_not_add_up():
    rows = text(sale(1)).splitlines()
    cells = rows[1].split(",")
    cells[11] = f"{sale(1).net - 100:.2f}"
    content = "\n".join([rows[0] + ",Estampilla", ",".join([*cells, "100"])])
    assert "Estampilla" in refusal(content.encode()).reason


def test_the_same_payment_twice_refuses_the_file():
    error = refusal(data(sale(1), sale(2), sale(1)))
    assert error.line == 4
    assert "1292-1602113477-10985" in error.reason
    assert "2" in error.reason


def test_a_payment_and_its_reversal_are_two_rows():
    back = sale(1, "-50000", changes=dict.fromkeys(("commission", "vat", "income"), Decimal(0)))
    [disbursement] = read(data(sale(1), back))
    assert disbursement.gross == 0
    assert disbursement.net == sale(1).net - 50000


def test_a_total_that_differs_from_the_rows_refuses_the_file():
    total = ["TOTAL", "", "", ""] + [""] * 7 + [f"{sale(1).net:.2f}"]
    assert read((text(sale(1)) + ",".join(total)).encode())[0].net == sale(1).net
    total[-1] = f"{sale(1).net + 1:.2f}"
    assert refusal((text(sale(1)) + ",".join(total)).encode()).line == 3


def test_the_day_is_that_of_bogota():
    rows = text(sale(1)).splitlines()
    cells = rows[1].split(",")
    cells[3] = "2026-03-04T03:30:00Z"
    [disbursement] = read("\n".join([rows[0], ",".join(cells)]).encode())
    assert disbursement.day == DAY


def test_a_file_without_a_day_needs_one_from_the_operator():
    content = b"Referencia,Monto,Comision,IVA,Neto\nchg_1,1000,100,19,881\n"
    with translation.override("en"):
        assert "day" in refusal(content).reason
    assert read(content, day=DAY)[0].day == DAY


BROKEN = {
    "empty": b"",
    "only a header": HEADER.encode(),
    "no header": b"1,2,3\n4,5,6\n",
    "a zip bomb renamed to .csv": b"PK\x03\x04" + bytes(100),
    "binary": bytes(range(256)) * 4,
    "a truncated line": data(sale(1), sale(2))[:-30],
    "one cell too many": data(sale(1)).replace(b"\r\n129", b"\r\nx,129"),
    "a date of zeros": data(sale(1)).replace(b"2026-03-03", b"00000000"),
    "a day of the future": data(sale(1, day=date(2027, 1, 1))),
    "30 digits": data(sale(1)).replace(b"50000.00", b"1" * 30),
    "no payment named": data(sale(1)).replace(b"1292-1602113477-10985", b""),
    "a gross amount of zero": b"Referencia,Fecha desembolso,Monto,Comision,IVA,Neto\n"
    b"chg_1,2026-03-03,0,0,0,0\n",
    "no column of the commission": b"Referencia,Fecha desembolso,Monto,IVA,Neto\n"
    b"chg_1,2026-03-03,100,0,100\n",
    "two columns of the same name": b"Referencia,Fecha desembolso,Monto,Comision,Comision,IVA,Neto"
    b"\nchg_1,2026-03-03,100,0,0,0,100\n",
    "an open quote": data(sale(1)).replace(b"1292-", b'"1292-'),
    "an amount with a formula": data(sale(1)).replace(b"50000.00", b"=1+1"),
    "three decimals": data(sale(1)).replace(b"50000.00", b"0.505"),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_are_refused_with_a_reason(content: bytes):
    assert refusal(content).reason
