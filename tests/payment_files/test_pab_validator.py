"""The validator of PAB files: the bank's sample passes, each fault is named."""

import pytest

from tests.payment_files.pab_validator import DETAIL, HEADER, LINE_BYTES, PabError, problems, read

HEAD = (
    "1000000900123456I               220PASARELA  20261102A 20261102"
    "000001000000000000000000000000001250000012345678901S"
)
LINE = (
    "61099888777     ANA PRUEBA                    00000100712345678901       37"
    "0000000001250000020261102por-01jexample0000000100000"
)


def sample(head: str = HEAD, *lines: str) -> bytes:
    return b"".join(f"{line:<264}\r\n".encode("latin-1") for line in (head, *(lines or (LINE,))))


def put(line: str, position: int, text: str) -> str:
    line = f"{line:<264}"
    return line[: position - 1] + text + line[position - 1 + len(text) :]


def in_head(position: int, text: str) -> bytes:
    return sample(put(HEAD, position, text))


def in_line(position: int, text: str) -> bytes:
    return sample(HEAD, put(LINE, position, text))


def test_fields_of_both_records_cover_the_line_without_gap() -> None:
    for fields in (HEADER, DETAIL):
        position = 1
        for field in fields:
            assert field.start == position, field.name
            position += field.length
        assert position == LINE_BYTES + 1


def test_banks_sample_is_read_field_by_field() -> None:
    file = read(sample())

    assert file.header["payer"] == "000000900123456"
    assert file.header["purpose"] == "PASARELA"
    assert file.header["debited account"] == "12345678901"
    assert [int(detail["amount"]) for detail in file.details] == [12_500_000]
    assert file.details[0]["name"] == "ANA PRUEBA"
    assert file.details[0]["reference"] == "por-01jexample0000000"


def test_two_details_whose_sum_the_header_holds_are_accepted() -> None:
    head = put(put(HEAD, 64, "000002"), 87, "00000000025000000")

    assert problems(sample(head, LINE, LINE)) == []


FAULTS = {
    "byte order mark": b"\xef\xbb\xbf" + sample(),
    "line feed alone": sample().replace(b"\r\n", b"\n"),
    "no end of the last line": sample()[:-2],
    "blank line": sample() + b"\r\n",
    "line one byte short": sample()[:100] + sample()[101:],
    "line one byte long": sample()[:-2] + b" \r\n",
    "letter with an accent": in_line(17, "ANÁ"),
    "tabulator": in_line(20, "\t"),
    "no header": sample().partition(b"\r\n")[2],
    "no detail": sample(HEAD)[:266],
    "two headers": sample(HEAD, HEAD, LINE),
    "unknown record": in_line(1, "5"),
    "payer with a letter": in_head(10, "X"),
    "payer not padded with zeros": in_head(2, "900123456      "),
    "unknown application": in_head(17, "X"),
    "text in the blanks of the header": in_head(18, "X"),
    "unknown class": in_head(33, "999"),
    "no purpose": in_head(36, " " * 10),
    "purpose at the right": in_head(36, "  PASARELA"),
    "day that does not exist": in_head(46, "20261131"),
    "digit as sequence": in_head(54, "1 "),
    "applied before sent": in_head(56, "20261101"),
    "wrong count": in_head(64, "000002"),
    "debits": in_head(70, "00000000000000001"),
    "wrong sum": in_head(87, "00000000012500001"),
    "debited account with a blank": in_head(114, " "),
    "unknown type of the debited account": in_head(115, "C"),
    "text at the end of the header": in_head(264, "X"),
    "document at the right": in_line(2, "     1099888777"),
    "document with a dot": in_line(2, "1.099.888.777"),
    "name in small letters": in_line(17, "Ana"),
    "name with a sign": in_line(20, "&"),
    "no name": in_line(17, " " * 30),
    "bank of three digits": in_line(47, "     1007"),
    "bank zero": in_line(47, "000000000"),
    "account with a hyphen": in_line(60, "-"),
    "account padded with zeros and blanks in front": in_line(56, "      12345678901"),
    "place of payment": in_line(73, "1"),
    "unknown type of account": in_line(74, "99"),
    "amount zero": in_line(76, "0" * 17),
    "amount with a point": in_line(76, "00000000125000.00"),
    "date zero": in_line(93, "00000000"),
    "date day first": in_line(93, "02112026"),
    "no reference": in_line(101, " " * 21),
    "document type letter": in_line(122, "C"),
    "office": in_line(123, "00001"),
    "phone with a sign": in_line(128, "+573001234567"),
    "e-mail with a blank": in_line(143, "ana @example.com"),
    "text at the end of the detail": in_line(250, "X"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_file_with_fault_is_refused(fault: str) -> None:
    assert problems(FAULTS[fault]) != []
    with pytest.raises(PabError):
        read(FAULTS[fault])
