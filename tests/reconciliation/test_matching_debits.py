"""What goes out of the operator's account: payments of files, and the bank's own charges."""

from decimal import Decimal

import pytest

from payments.core import clock
from payments.core.days import day_of
from payments.outgoing import resolutions
from payments.payment_files.services import findings
from payments.payment_files.services.decisions import Person
from payments.payout.services.engine import engine
from payments.reconciliation.models import LineMatch
from payments.reconciliation.services.days.accounts import compute_day, find_account
from payments.reconciliation.services.matching import decisions, explanations, undoing
from tests.payment_files import flow
from tests.payment_files.conftest import account as payouts  # noqa: F401
from tests.rails.pabfile_bank import CREDENTIALS
from tests.reconciliation.lines import add_line, own_account
from tests.reconciliation.shopping import books, match, state

pytestmark = pytest.mark.django_db
CLEARING = f"clearing:{flow.ACCOUNT}:COPM"


@pytest.fixture
def bank():
    return own_account(number=CREDENTIALS["account_number"], bank_code=CREDENTIALS["bank_code"])


def today():
    return day_of(clock.now())


@pytest.mark.usefixtures("payouts")
class TestPaymentFiles:
    def paid(self, api):
        payout, line = flow.pay(api)
        flow.hand_over(line.batch)
        line.refresh_from_db()
        return payout, line

    @pytest.mark.parametrize("shape", ["{:0>21}", "PAGO A PROVEEDORES {}"])
    def test_debit_with_the_code_completes_the_payout(self, api, bank, shape):
        payout, paid = self.paid(api)
        text = shape.format(paid.code)
        where = "reference" if text.isdigit() else "description"
        line = add_line(bank, -paid.amount, **{where: text})
        match()
        flow.report()
        payout.refresh_from_db()
        assert (state(line), payout.status) == ("MATCHED", "COMPLETED")
        assert books(CLEARING) == 0

    def test_second_debit_with_the_code_waits_and_calls_an_operator(self, api, bank):
        _, paid = self.paid(api)
        first, second = (add_line(bank, -paid.amount, reference=paid.code) for _ in range(2))
        match()
        paid.refresh_from_db()
        assert (state(first), state(second)) == ("MATCHED", "AMBIGUOUS")
        assert paid.needs_operator
        assert paid.findings.get().kind == "SECOND_DEBIT"
        decision = decisions.Decision(actor="ana", reason="it is this", now=clock.now())
        with pytest.raises(decisions.NotAllowed):
            decisions.assign(line_id=second.pk, order=paid.code, decision=decision)
        assert LineMatch.objects.count() == 1

    def test_debit_that_is_taken_back_again_calls_an_operator_again(self, api, bank):
        _, paid = self.paid(api)
        line = add_line(bank, -paid.amount, reference=paid.code)
        match()
        decision = decisions.Decision(actor="ana", reason="it is another", now=clock.now())
        person = Person(actor="ana", reason="looked at")
        for _ in range(2):
            undoing.undo(line_id=line.pk, decision=decision)
            paid.refresh_from_db()
            assert (paid.debit_source, paid.needs_operator) == ("", True)
            findings.close_findings(line_id=paid.pk, person=person, now=clock.now())
            decisions.assign(line_id=line.pk, order=paid.code, decision=decision)

    def test_debit_of_a_failed_payment_is_assigned_once_its_loss_is_booked(self, api, bank):
        payout, paid = self.paid(api)
        flow.declare(paid, "FAILED")
        flow.agree(paid)
        flow.report()
        line = add_line(bank, -paid.amount, reference=paid.code)
        match()
        flow.report()
        payout.refresh_from_db()
        assert (state(line), payout.status, payout.needs_operator) == ("AMBIGUOUS", "FAILED", True)
        decision = decisions.Decision(actor="ana", reason="it is this", now=clock.now())
        with pytest.raises(decisions.NotAllowed):
            decisions.assign(line_id=line.pk, order=paid.code, decision=decision)
        resolutions.acknowledge(
            engine=engine,
            payment=payout,
            is_loss=True,
            decision=resolutions.Decision(actor="ana", reason="it is gone", proof="statement"),
            now=clock.now(),
        )
        person = Person(actor="ana", reason="the loss is booked")
        findings.close_findings(line_id=paid.pk, person=person, now=clock.now())
        decisions.assign(line_id=line.pk, order=paid.code, decision=decision)
        paid.refresh_from_db()
        assert (state(line), paid.status, books(CLEARING)) == ("MATCHED", "FAILED", 0)
        assert (books("suspense:bank:COPM"), books("losses:COPM")) == (0, -paid.amount)
        report = compute_day(find_account(bank.pk), line.booked_on, line.booked_on)
        assert [one.cause for one in report.differences] == []

    def test_credit_with_the_code_is_a_return(self, api, bank):
        payout, paid = self.paid(api)
        add_line(bank, -paid.amount, reference=paid.code)
        match()
        flow.report()
        line = add_line(bank, paid.amount, description=f"DEVOLUCION {paid.code}")
        match()
        flow.report()
        payout.refresh_from_db()
        assert (state(line), payout.status) == ("MATCHED", "REFUNDED")
        assert books(CLEARING) == 0

    def test_return_without_its_code_is_accepted_by_a_person(self, api, bank):
        payout, paid = self.paid(api)
        add_line(bank, -paid.amount, reference=paid.code)
        match()
        flow.report()
        text = f"DEVOLUCION PAGO {paid.recipient_name.upper()}"
        line = add_line(bank, paid.amount, description=text)
        match()
        assert state(line) == "AMBIGUOUS"
        decision = decisions.Decision(actor="ana", reason="same name", now=clock.now())
        key = f"PAYOUT_LINE:{paid.pk}"
        decisions.accept(line_id=line.pk, key=key, decision=decision)
        flow.report()
        payout.refresh_from_db()
        assert (state(line), payout.status) == ("MATCHED", "REFUNDED")


class TestCharges:
    def test_tax_of_the_day_is_booked_with_its_arithmetic(self, bank):
        add_line(bank, -1_000_000, description="PAGO A PROVEEDORES X")
        add_line(bank, -500_000, description="PAGO A PROVEEDORES Y")
        line = add_line(bank, -6_000, description="IMPTO GOBIERNO 4X1000")
        match()
        assert (state(line), books("costs:gmf:COPM")) == ("BOOKED", -6_000)
        facts = LineMatch.objects.get(line=line).explanation
        assert "4 por mil de los débitos" in explanations.sentences(facts)[1]

    def test_tax_above_what_is_possible_waits(self, bank):
        add_line(bank, -1_000_000, description="PAGO A PROVEEDORES X")
        line = add_line(bank, -60_000, description="IMPTO GOBIERNO 4X1000")
        match()
        assert state(line) == "AMBIGUOUS"

    @pytest.mark.parametrize(
        ("text", "cost"),
        [
            ("COMISION PAGO A PROVEEDORES", "bank_commission"),
            ("SERVICIO PAGO A OTROS BANCOS", "bank_commission"),
            ("CUOTA PLAN CANAL NEGOCIOS", "bank_commission"),
            ("IVA CUOTA PLAN CANAL NEGOCIOS", "vat"),
            ("COBRO IVA PAGOS AUTOMATICOS", "vat"),
            ("RETENCIÓN EN LA FUENTE", "income_withholding"),
            ("RETENCION ICA", "ica_withholding"),
        ],
    )
    def test_charges_of_the_bank_are_booked_by_their_texts(self, bank, text, cost):
        line = add_line(bank, -3_000, description=text)
        match()
        assert (state(line), books(f"costs:{cost}:COPM")) == ("BOOKED", -3_000)

    def test_interest_is_booked(self, bank):
        line = add_line(bank, Decimal("12.34"), description="ABONO INTERESES AHORROS")
        match()
        assert (state(line), books("costs:interest:COPM")) == ("BOOKED", Decimal("12.34"))

    @pytest.mark.parametrize(
        ("amount", "facts"),
        [
            (3_000, {"description": "COMISION PAGO A PROVEEDORES"}),
            (-3_000, {"description": "PAGO A PROVEEDOR COMISION SAS"}),
            (-3_000, {"description": "COMISION JULIO", "counterparty": "PEDRO GOMEZ"}),
            (3_000, {"description": "ABONO INTERESES AHORROS", "counterparty": "PEDRO GOMEZ"}),
        ],
    )
    def test_what_only_looks_like_a_charge_waits(self, bank, amount, facts):
        line = add_line(bank, amount, **facts)
        match()
        assert state(line) in ("AMBIGUOUS", "UNMATCHED")

    @pytest.mark.parametrize(
        ("code", "party", "expected"),
        [
            ("1007", "BANCOLOMBIA SA", "BOOKED"),
            ("1303", "BANCO UNION", "BOOKED"),
            ("1303", "GIROS Y FINANZAS", "BOOKED"),
            ("1558", "BAN100 SA", "BOOKED"),
            ("1558", "CREDIFINANCIERA", "BOOKED"),
            ("1006", "CORPBANCA", "BOOKED"),
            # Words that are also in the names of other companies.
            ("1013", "SEGUROS COLOMBIA", "AMBIGUOUS"),
            ("1283", "COOPERATIVA DEL SUR", "AMBIGUOUS"),
            ("1303", "PEREZ Y CIA", "AMBIGUOUS"),
        ],
    )
    def test_charges_name_the_own_bank_as_it_is_called_or_was(self, code, party, expected):
        account = own_account(bank_code=code)
        line = add_line(account, -3_000, description="COMISION JULIO", counterparty=party)
        match()
        assert state(line) == expected
