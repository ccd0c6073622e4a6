"""What is written is read back equal. Every other file is read or refused, without an error."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from payments.reconciliation.formats.values import FileRefused

from . import writers
from .samples import (
    ASOBANCARIA,
    BANCOLOMBIA,
    BATCH_ENTRY,
    BOGOTA,
    MT940,
    OCCIDENTE,
    OWN_CSV,
    SINGLE_ENTRY,
    camt,
    read,
)
from .writers import Collection, Movement

accounts = st.from_regex(r"[1-9][0-9]{9,16}", fullmatch=True)
days = st.dates(min_value=date(2024, 1, 1), max_value=date(2026, 3, 20))
texts = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=60
).map(lambda text: " ".join(text.split()))
collections = st.builds(
    Collection,
    reference=st.from_regex(r"[1-9][0-9]{0,47}", fullmatch=True),
    cents=st.integers(min_value=1, max_value=10**13),
    origin=st.sampled_from(["01", "03", "08"]),
    channel=st.sampled_from(["01", "13", "15", "21"]),
    operation=st.from_regex(r"[1-9][0-9]{5}", fullmatch=True),
    authorisation=st.from_regex(r"[A-Z0-9]{6}", fullmatch=True),
)
pesos = st.decimals(min_value=-(10**12), max_value=10**12, places=2).filter(bool)
movements = st.lists(st.builds(Movement, day=days, amount=pesos, description=texts), min_size=1)
in_order = movements.map(lambda found: sorted(found, key=lambda each: each.day))


@given(day=days, account=accounts, batches=st.lists(st.lists(collections, max_size=5), max_size=3))
def test_asobancaria_is_read_back_equal(day, account, batches):
    statement = read(writers.asobancaria(day, account, batches))

    assert statement.account_number == account
    assert statement.first_day == statement.last_day == day
    found = [
        Collection(
            reference=line.reference,
            cents=int(line.amount * 100),
            origin=line.code[:2],
            channel=line.code[2:],
            operation=line.operation_id[:6],
            authorisation=line.operation_id[7:],
        )
        for line in statement.lines
    ]
    assert found == [each for batch in batches for each in batch]


def assert_same(statement, movements, opening):
    found = [Movement(line.booked_on, line.amount, line.description) for line in statement.lines]
    assert found == movements
    assert statement.opening == opening
    assert statement.closing == opening + sum(each.amount for each in movements)


@given(account=accounts, movements=in_order, opening=pesos)
def test_bancolombia_is_read_back_equal(account, movements, opening):
    kept = [each for each in movements if not each.description.upper().startswith("SALDO ")]
    if kept:
        statement = read(writers.bancolombia(account, kept, opening))
        assert statement.account_number == account
        assert_same(statement, kept, opening)


@given(movements=in_order, opening=pesos, delimiter=st.sampled_from([",", ";", "\t"]))
def test_own_csv_is_read_back_equal(movements, opening, delimiter):
    assert_same(read(writers.own_csv(movements, opening, delimiter)), movements, opening)


plain_texts = st.from_regex(r"[A-Z0-9]{1,12}( [A-Z0-9]{1,12}){0,3}", fullmatch=True)


@given(
    account=accounts,
    movements=st.lists(
        st.builds(Movement, day=days, amount=pesos, description=plain_texts), min_size=1
    ).map(lambda found: sorted(found, key=lambda each: each.day)),
    opening=pesos,
)
def test_mt940_is_read_back_equal(account, movements, opening):
    statement = read(writers.mt940(account, movements, opening))
    assert statement.account_number == account
    assert_same(statement, movements, opening)


@given(movements=in_order, opening=pesos, at=st.integers(min_value=0))
def test_one_cent_less_in_one_amount_refuses_a_file_with_balances(movements, opening, at):
    at %= len(movements)
    rows = [row.split(",") for row in writers.own_csv(movements, opening, ",").splitlines()]
    rows = [[*row[:2], "", row[-1]] for row in rows]
    rows[at + 2][1] = str(movements[at].amount - Decimal("0.01"))
    rows[0][2] = "description"
    with pytest.raises(FileRefused):
        read("\n".join(",".join(row) for row in rows))


SAMPLES = [
    sample.encode()
    for sample in (
        ASOBANCARIA,
        BANCOLOMBIA,
        BOGOTA,
        OCCIDENTE,
        OWN_CSV,
        MT940,
        camt(SINGLE_ENTRY, closing="251000.00"),
        camt(BATCH_ENTRY, version="02", closing="699.50"),
    )
]


@given(
    sample=st.sampled_from(SAMPLES),
    at=st.integers(0, 2500),
    length=st.integers(0, 40),
    other=st.binary(max_size=30) | st.text("0123456789,.;:-<>/ABCDNR\"'&\r\n", max_size=30),
)
@example(sample=SAMPLES[6], at=0, length=5, other=b"")
def test_damaged_file_is_read_or_refused(sample, at, length, other):
    damage = other.encode() if isinstance(other, str) else other
    at %= len(sample)
    try:
        statement = read(sample[:at] + damage + sample[at + length :])
    except FileRefused:
        return
    assert statement.first_day <= statement.last_day
    for line in statement.lines:
        assert statement.first_day <= line.booked_on <= statement.last_day
        assert line.amount
        assert len(line.description) <= 300


@given(content=st.binary(max_size=2000))
def test_noise_is_refused(content):
    try:
        read(content)
    except FileRefused:
        return
    raise AssertionError(content)
