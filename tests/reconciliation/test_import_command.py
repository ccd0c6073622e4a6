"""`manage.py import_statement`: one line of JSON, exit 1 with the reason."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core.management import call_command
from django.core.management.base import CommandError

from payments.reconciliation.models import StatementLine
from tests.reconciliation.formats.samples import ASOBANCARIA
from tests.reconciliation.own_csv import NOW, open_account

pytestmark = pytest.mark.django_db


def run(path: Path, *options: str) -> tuple[dict[str, Any], int]:
    out, code = io.StringIO(), 0
    try:
        call_command("import_statement", str(path), *options, stdout=out)
    except SystemExit as ended:
        code = int(str(ended.code))
    return json.loads(out.getvalue()), code


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "recaudo.txt"
    path.write_bytes(ASOBANCARIA.encode())
    return path


def test_file_is_imported_once(file: Path) -> None:
    open_account()
    with time_machine.travel(NOW):
        facts, code = run(file)
    assert code == 0
    assert (facts["account"], facts["lines"], facts["new_lines"]) == ("main", 2, 2)
    assert (facts["credits"], facts["was_imported_before"]) == ("51234.5", False)
    facts, code = run(file)
    assert (facts["was_imported_before"], code) == (True, 0)
    assert StatementLine.objects.count() == 2


def test_refused_file_exits_1_with_line_and_reason(file: Path, settings: LazySettings) -> None:
    settings.LANGUAGE_CODE = "en"
    facts, code = run(file)
    assert code == 1
    assert "No bank account has the number" in facts["reason"]
    file.write_bytes(ASOBANCARIA.replace("0900000000200", "0900000000300").encode())
    facts, code = run(file)
    assert (code, facts["line"]) == (1, 6)
    assert not StatementLine.objects.exists()


def test_missing_file_is_an_error_of_the_command(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        run(tmp_path / "nothing.txt")
