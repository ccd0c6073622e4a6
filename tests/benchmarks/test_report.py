"""The benchmark's own parts: what it reads, and the document that it writes."""

import pytest

from benchmarks import limit, report
from benchmarks.client import Sample, body_of, is_whole
from benchmarks.messages import NUMBER, in_turn, request
from benchmarks.rounds import Figures, ratio
from benchmarks.statements import Conversation, Statement, read

LOG = """\
2026-01-31 15:04:05.001 UTC [11] LOG:  statement: BEGIN
2026-01-31 15:04:05.001 UTC [11] LOG:  duration: 0.010 ms
2026-01-31 15:04:05.002 UTC [22] LOG:  execute <unnamed>: SELECT 1
2026-01-31 15:04:05.003 UTC [11] LOG:  execute _pg3_1: INSERT INTO t (a, b, c)
\tVALUES ($1, $2, $3)
2026-01-31 15:04:05.003 UTC [11] DETAIL:  Parameters: $1 = 'col_a''b', $2 = NULL, $3 = '2026-01-31 10:00:00'
2026-01-31 15:04:05.004 UTC [11] LOG:  duration: 0.250 ms
2026-01-31 15:04:05.005 UTC [11] LOG:  statement: COMMIT
"""  # noqa: E501 -- a line of PostgreSQL's


def said(*texts: str, key: str) -> Conversation:
    return Conversation([Statement(text, {1: key}) for text in texts])


def test_a_request_that_checked_its_connection_first_is_not_taken_for_the_usual_one() -> None:
    usual = [said("SELECT a", key=str(number)) for number in range(3)]
    checked = said("SELECT 1", "SELECT a", key="3")
    for requests in ([*usual, checked], [checked, *usual], [usual[0], checked, *usual[1:]]):
        one, other = limit.alike(requests)
        assert [each.text for each in (*one, *other)] == ["SELECT a", "SELECT a"]
        assert [each.parameters[1] for each in (*one, *other)] == ["1", "2"]
    with pytest.raises(LookupError):
        limit.alike([usual[0], checked])


def test_log_is_read_with_statements_parameters_and_times() -> None:
    said = read(LOG)
    assert [statement.text for statement in said[11].statements] == [
        "BEGIN",
        "INSERT INTO t (a, b, c)\nVALUES ($1, $2, $3)",
        "COMMIT",
    ]
    assert said[11].statements[1].parameters == {1: "col_a'b", 2: None, 3: "2026-01-31 10:00:00"}
    assert said[11].milliseconds == 0.26
    assert len(said[22].statements) == 1


def test_only_names_that_differ_become_numbers_of_their_own() -> None:
    one = read(LOG)[11].statements
    other = read(LOG.replace("col_a''b", "col_xyz").replace("10:00", "11:00"))[11].statements
    made = limit.script(one, other)
    insert = made.text.splitlines()[3]
    assert "VALUES (('' || lpad((:n)::text, 16, '0')), NULL, :p1_3);" in insert
    assert made.variables == {"p1_3": "2026-01-31 10:00:00"}


def test_the_ledger_computes_the_balance_that_the_program_would() -> None:
    line = (
        "2026-01-31 15:04:05.003 UTC [11] LOG:  execute a: SELECT * FROM unnest("
        "$1::bigint[], $2::text[], $3::numeric[], $4::numeric[])\n"
        "2026-01-31 15:04:05.003 UTC [11] DETAIL:  Parameters: "
        "$1 = '{7}', $2 = '{COPM}', $3 = '{-5}', $4 = '{95}'\n"
    )
    statements = read(line)[11].statements
    made = limit.script(statements, statements)
    assert "account.balance + line.amount" in made.text
    assert "p0_4" not in made.variables


def test_generated_parts_are_replaced_and_what_people_wrote_stays() -> None:
    document = report.put("# Benchmarks\n\n## Why\nBecause.\n", "http", "## The API\n1")
    document = report.put(document, "lists", "## Lists\n1")
    again = report.put(document, "http", "## The API\n2")
    assert again == document.replace("## The API\n1", "## The API\n2")
    assert again.count("Because.") == 1
    assert again.index("## The API") < again.index("## Lists")


def test_new_parts_come_before_what_people_wrote_below_the_others() -> None:
    document = report.put("# Benchmarks\n", "http", "1") + "\n## Why\nBecause.\n"
    added = report.put(document, "lists", "2")
    assert added.index("end of lists") < added.index("## Why")


def test_a_verdict_says_by_how_much() -> None:
    assert report.at_least(0.5, 1.0) == ("0.50x", ">= 1.00x", "missed: 0.50 of the target")
    assert report.at_most(2.0, 2.5) == ("2.00x", "<= 2.50x", "met")
    assert report.below(80, 40, "ms") == ("80 ms", "<= 40 ms", "missed: 2.00 of the target")


def test_a_request_is_numbered_wherever_its_number_stands() -> None:
    made = request("POST", f"/a/{NUMBER}", {"Key": "k"}, {"reference": NUMBER, "name": "Ñ"})
    head, _, body = made(7).partition(b"\r\n\r\n")
    assert head.startswith(b"POST /a/0000000000000007 HTTP/1.1\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert body == '{"reference":"0000000000000007","name":"Ñ"}'.encode()
    turns = in_turn([request("GET", path, {}) for path in ("/a", "/b")])
    assert turns(3).startswith(b"GET /b ")


def test_answers_are_whole_when_their_body_is() -> None:
    sized = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"
    )
    for answer, body in ((sized, b"ab"), (chunked, b"abcd")):
        assert not any(is_whole(answer[:end]) for end in range(len(answer)))
        assert is_whole(answer)
        assert body_of(answer) == body


def test_figures_are_medians_of_rounds() -> None:
    fast = Figures([Sample([0.001] * count, 1.0) for count in (100, 900, 120)])
    slow = Figures([Sample([0.001] * count, 1.0) for count in (50, 300, 60)])
    assert fast.rate == 120
    assert ratio(fast, slow) == 2.0
    assert Sample([n / 100 for n in range(100)], 1.0).percentile(0.99) == 0.99
