"""`manage.py load_agreements`: every row is checked, the good ones are loaded together."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from payments.bills.models import Agreement, BillTerms
from payments.bills.services import agreement_import, catalogue
from payments.core import clock
from payments.core.models import AuditEntry

HEADER = "agreementId,name,referenceLabel,type,code:simulator,code:otro\n"
GOOD = "1,Acueducto Uno,Contrato,Agua,A1,\n2,Énergía Dos,NIC,Energía,,B2\n"

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "agreements.csv"


def load(file: Path, text: str | bytes, *options: str) -> dict[str, Any]:
    """Runs the command; "problems" is what it wrote on standard error, "exit" its exit code."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    out, err, code = StringIO(), StringIO(), 0
    try:
        call_command("load_agreements", str(file), *options, stdout=out, stderr=err)
    except CommandError as error:
        code = error.returncode
        err.write(str(error))
    counts = json.loads(out.getvalue()) if out.getvalue() else {}
    return {**counts, "problems": err.getvalue().splitlines(), "exit": code}


def test_good_file_creates_its_agreements(file: Path) -> None:
    done = load(file, HEADER + GOOD)

    counts = {"created": 2, "updated": 0, "unchanged": 0, "disabled": 0, "rejected": 0}
    assert done == {**counts, "problems": [], "exit": 0}
    one, two = Agreement.objects.order_by("pk")
    assert (one.name, one.reference_label, one.type) == ("Acueducto Uno", "Contrato", "Agua")
    assert (one.codes, two.codes) == ({"simulator": "A1"}, {"otro": "B2"})
    assert one.is_enabled
    assert two.searchable == "energia dos energia 2"
    assert AuditEntry.objects.get(action="agreements.loaded").details["created"] == 2


def test_again_it_changes_nothing(file: Path) -> None:
    load(file, HEADER + GOOD)
    done = load(file, HEADER + GOOD)
    assert (done["created"], done["updated"], done["unchanged"]) == (0, 0, 2)


def test_what_differs_is_updated(file: Path) -> None:
    load(file, HEADER + GOOD)
    done = load(file, HEADER + GOOD.replace("Acueducto Uno", "Acueducto Nuevo"))

    assert (done["created"], done["updated"], done["unchanged"]) == (0, 1, 1)
    assert Agreement.objects.get(pk=1).searchable == "acueducto nuevo agua 1"


def test_what_the_file_does_not_name_is_left_alone(file: Path) -> None:
    load(file, HEADER + GOOD)
    Agreement.objects.filter(pk=1).update(codes={"simulator": "A1", "third": "C"}, is_enabled=False)
    load(file, HEADER + "1,Acueducto,Contrato,Agua,A9,\n")

    one, two = Agreement.objects.order_by("pk")
    assert one.codes == {"simulator": "A9", "third": "C"}
    assert not one.is_enabled  # an operator's decision
    assert two.is_enabled


def test_missing_ones_are_disabled_if_asked_for(file: Path) -> None:
    load(file, HEADER + GOOD)
    done = load(file, HEADER + GOOD.splitlines()[0], "--disable-missing")
    assert (done["disabled"], done["unchanged"]) == (1, 1)
    assert not Agreement.objects.get(pk=2).is_enabled

    text = HEADER.replace("code:otro", "code:otro,enabled") + "2,Dos,NIC,Energía,,B2,yes\n"
    load(file, text)
    assert Agreement.objects.get(pk=2).is_enabled


@pytest.mark.parametrize("text", ["", "1,,Contrato,Agua,A1,\n"])
def test_a_doubtful_file_disables_nothing(file: Path, text: str) -> None:
    load(file, HEADER + GOOD)
    done = load(
        file, HEADER + "3,Tres,Contrato,Agua,A3,\n" * bool(text) + text, "--disable-missing"
    )

    assert done["exit"] == 1
    assert "Nothing was loaded" in done["problems"][-1]
    assert Agreement.objects.filter(is_enabled=True).count() == 2


BAD_ROWS = {
    "0,Uno,Contrato,Agua,A,": "agreementId",
    "-1,Uno,Contrato,Agua,A,": "agreementId",
    "x,Uno,Contrato,Agua,A,": "agreementId",
    "1.0,Uno,Contrato,Agua,A,": "agreementId",
    "１,Uno,Contrato,Agua,A,": "agreementId",
    "9007199254740992,Uno,Contrato,Agua,A,": "agreementId",
    "99999999999999999999999,Uno,Contrato,Agua,A,": "agreementId",
    ",Uno,Contrato,Agua,A,": "agreementId",
    "7,,Contrato,Agua,A,": "name is empty",
    "7,Uno, ,Agua,A,": "referenceLabel is empty",
    "7,Uno,Contrato,,A,": "type is empty",
    f"7,{'x' * 121},Contrato,Agua,A,": "name has more than 120",
    f"7,Uno,{'x' * 121},Agua,A,": "referenceLabel has more than 120",
    f"7,Uno,Contrato,{'x' * 61},A,": "type has more than 60",
    "7,Uno,Contrato,Agua,,": "no rail has a code",
    f"7,Uno,Contrato,Agua,{'x' * 41},": "a code has more than 40",
    "7,Uno,Contrato,Agua,A": "has 5 cells, not 6",
    "7,Uno,Contrato,Agua,A,,": "has 7 cells, not 6",
    "7,Uno\x00,Contrato,Agua,A,": "name contains control characters",
    '7,"Uno\nDos",Contrato,Agua,A,': "name contains control characters",
}


@pytest.mark.parametrize(("row", "reason"), BAD_ROWS.items(), ids=lambda text: text[:30])
def test_a_bad_row_is_named_and_the_others_are_loaded(file: Path, row: str, reason: str) -> None:
    done = load(file, HEADER + GOOD.splitlines()[0] + "\n\n" + row + "\n" + GOOD.splitlines()[1])

    assert (done["created"], done["rejected"], done["exit"]) == (2, 1, 1)
    assert done["problems"][0].startswith("Line 4: ")
    assert reason in done["problems"][0]
    assert sorted(Agreement.objects.values_list("pk", flat=True)) == [1, 2]


def test_of_two_rows_with_one_id_none_is_loaded(file: Path) -> None:
    done = load(file, HEADER + GOOD + "1,Otro,Contrato,Agua,A,\n")

    assert [line[:8] for line in done["problems"][:2]] == ["Line 2: ", "Line 4: "]
    assert list(Agreement.objects.values_list("pk", flat=True)) == [2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "agreementId,name,referenceLabel,type\n",
        "agreementId,name,type,code:simulator\n",
        HEADER.replace("code:otro", "codes"),
        HEADER.replace("code:otro", "code:simulator"),
        HEADER.replace("code:otro", "code:Otro Riel"),
        (HEADER + "1,Año,Contrato,Agua,A1,\n").encode("latin-1"),
        HEADER + '1,"Uno,Contrato,Agua,A1,\n',
        HEADER + '1,"Uno"x,Contrato,Agua,A1,\n',
        HEADER + f"1,{'x' * 200_000},Contrato,Agua,A1,\n",
    ],
    ids=range(10),
)
def test_a_file_that_cannot_be_read_loads_nothing(file: Path, text: str | bytes) -> None:
    done = load(file, text)

    assert done["exit"] == 1
    assert len(done["problems"]) == 1
    assert not Agreement.objects.exists()


def test_a_file_that_is_not_there(file: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("load_agreements", str(file))


def test_a_spreadsheets_byte_order_mark_and_line_ends(file: Path) -> None:
    done = load(file, ("\ufeff" + HEADER + GOOD).replace("\n", "\r\n"))
    assert (done["created"], done["exit"]) == (2, 0)


def test_a_crash_loads_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement_import.audit, "record", lambda **_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        load(file, HEADER + GOOD)
    assert not Agreement.objects.exists()


def test_on_the_first_day_there_are_terms_and_invented_agreements() -> None:
    assert catalogue.load_catalogue(now=clock.now()) == 43
    terms = BillTerms.objects.get()
    assert (terms.is_enabled, terms.fee_flat, terms.max_amount) == (True, 800, 10_000_000)
    assert catalogue.load_catalogue(now=clock.now()) == 0


def test_where_no_rail_is_simulated_no_biller_is_invented(settings: Any) -> None:
    settings.BILLS_PROVIDER = "acme"
    assert catalogue.load_catalogue(now=clock.now()) == 1
    assert not Agreement.objects.exists()


def test_twenty_thousand_rows_in_a_few_statements(
    file: Path, django_assert_max_num_queries: Any
) -> None:
    rows = "".join(f"{n},Convenio {n},Contrato,Agua,A{n},\n" for n in range(1, 20_001))
    with django_assert_max_num_queries(40):
        done = load(file, HEADER + rows)
    assert (done["created"], done["exit"]) == (20_000, 0)
