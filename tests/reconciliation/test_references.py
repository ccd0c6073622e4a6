"""No reference is found by chance among the neighbours of a text."""

from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st
from stdnum import damm

from payments.reconciliation.references import find_references

REFERENCES = st.integers(10**9, 10**10 - 1).map(lambda n: f"{n}{damm.calc_check_digit(str(n))}")
NUMBERS = st.from_regex(r"[1-9][0-9]{0,19}", fullmatch=True)


@given(
    reference=REFERENCES,
    size=st.integers(3, 5),
    mark=st.sampled_from(" .-"),
    before=st.sampled_from(["", "20261110 ", "884.", "3001234567-", "PAGO 12 "]),
    day=st.dates(date(2020, 1, 1), date(2039, 12, 31)),
    form=st.sampled_from(["%Y%m%d", "%d%m%Y", "%Y-%m-%d", "%d.%m.%y", "%y%m%d"]),
)
def test_reference_in_groups_is_found_alone_beside_any_day(
    reference: str, size: int, mark: str, before: str, day: date, form: str
) -> None:
    assume(size != 3 or before != "884.")
    groups = mark.join(reference[at : at + size] for at in range(0, len(reference), size))
    assert find_references(f"{before}{groups} {day:{form}}") == [reference]


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=6), mark=st.sampled_from(" .-"))
def test_what_is_found_was_written_as_one_number(numbers: list[str], mark: str) -> None:
    """Alone, or in groups of one size with a shorter one at the end."""
    text = f" {' '.join(numbers)} "
    for found in find_references(mark.join(numbers)):
        sizes = (len(found), 3, 4, 5)
        written = [
            " ".join(found[at : at + size] for at in range(0, len(found), size)) for size in sizes
        ]
        assert any(f" {one} " in text for one in written)


@given(reference=REFERENCES, day=st.dates(date(2020, 1, 1), date(2039, 12, 31)))
def test_last_group_and_a_day_are_no_reference(reference: str, day: date) -> None:
    assert find_references(f"PAGO {reference[8:]} {day:%Y%m%d}") == []
    assert find_references(f"PAGO {reference[8:]} {day:%Y-%m-%d}") == []
    assert find_references(f"{day:%Y%m%d} {reference[8:]}") == []
