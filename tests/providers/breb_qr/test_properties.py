"""Whatever is written is read back, and whatever is changed is found."""

import contextlib
import string
from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from payments.providers.breb_qr.checksum import sealed
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.encoding import encode
from payments.providers.breb_qr.own_qr import with_amount
from payments.providers.breb_qr.refusals import QRRefused
from payments.providers.breb_qr.tlv import Element, elements_of, text_of
from payments.providers.breb_qr.values import (
    AdditionalData,
    BrebKey,
    BrebQR,
    KeyType,
    Taxes,
    Tip,
)
from tests.providers.breb_qr.samples import AS_BANKS_WRITE, OF_A_SHOP, WITH_AMOUNT, static

PRINTABLE = string.printable[:95]
DIGITS = st.text("0123456789", min_size=1, max_size=9)


def words(most: int, *, least: int = 0) -> st.SearchStrategy[str]:
    letters = st.characters(exclude_categories=["C", "Z"])
    return st.text(letters, min_size=least, max_size=most)


def plain(most: int) -> st.SearchStrategy[str]:
    return st.text(PRINTABLE, max_size=most)


AMOUNTS = st.decimals("0.01", "9999999999.99", places=2)
CODES = st.builds(
    BrebQR,
    is_static=st.booleans(),
    name=words(25, least=1),
    key=st.none() | st.builds(BrebKey, st.sampled_from(KeyType), words(60, least=1)),
    operator=st.sampled_from(["RBM", "CRB"]),
    network=st.sampled_from(["ACH", "BRC", "CRB", "MCCA", "RBM", "SVB", "VCSS", "VISI"]),
    merchant_code=plain(20),
    aggregator_code=plain(20),
    category_code=st.text("0123456789", min_size=4, max_size=4),
    amount=st.none() | AMOUNTS,
    city=words(15),
    postal_code=plain(10),
    tip=st.builds(Tip, indicator=st.sampled_from(["", "01", "02", "03"]), fixed=DIGITS),
    additional=st.builds(AdditionalData, invoice=plain(8), tax_id=plain(8), channel=plain(3)),
    channel=plain(5),
    taxes=st.builds(Taxes, vat_condition=plain(2), vat=plain(10), consumption=plain(10)),
    transaction_id=plain(19),
    security_hash=plain(24),
)


@given(st.dictionaries(st.from_regex("[0-9]{2}", fullmatch=True), words(99, least=1)))
def test_elements_are_read_as_they_were_written(told):
    elements = tuple(Element(tag, value) for tag, value in told.items())

    assert elements_of(text_of(elements)) == elements


@given(CODES)
def test_a_code_is_read_as_it_was_written(code):
    text = encode(code)

    assert decode(text) == code
    tags = [element.tag for element in elements_of(text)]
    assert tags[-1] == "63"
    assert tags[:-1] == sorted(tags[:-1])


def test_the_standards_example_is_written_as_it_stands():
    assert encode(decode(WITH_AMOUNT)) == WITH_AMOUNT


def test_every_character_of_a_code_counts():
    """All of the single changes to another ASCII character: some 60,000."""
    for text in (WITH_AMOUNT, static()):
        original = decode(text)
        for place in range(len(text)):
            for letter in set(PRINTABLE) - {text[place]}:
                changed = text[:place] + letter + text[place + 1 :]
                try:
                    read = decode(changed)
                except QRRefused:
                    continue
                raise AssertionError((changed, read, original))


@given(st.integers(0, len(AS_BANKS_WRITE) - 1), st.integers(1, 20))
def test_a_lost_piece_is_found(place, length):
    changed = AS_BANKS_WRITE[:place] + AS_BANKS_WRITE[place + length :]

    try:
        decode(changed)
    except QRRefused:
        return
    raise AssertionError(changed)


@given(AMOUNTS)
@example(Decimal(15000))
def test_an_amount_changes_nothing_but_its_field_and_the_checksum(amount):
    changed = with_amount(AS_BANKS_WRITE, amount)

    assert decode(changed).amount == amount
    told = f"54{len(f'{amount:.2f}'):02d}{amount:.2f}"
    assert sealed(changed[:-8].replace(told, "", 1)) == AS_BANKS_WRITE


@given(st.text() | st.text(PRINTABLE).map(lambda text: sealed("000201" + text)))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(QRRefused):
        assert decode(text).name


@given(st.data())
def test_a_mutilated_code_with_a_right_checksum_is_read_or_refused(data):
    """A person who makes a hostile code can compute its checksum."""
    body = list(data.draw(st.sampled_from([WITH_AMOUNT, AS_BANKS_WRITE, OF_A_SHOP]))[:-8])
    for place in data.draw(st.lists(st.integers(0, len(body) - 1), max_size=4)):
        body[place] = data.draw(st.sampled_from(PRINTABLE) | st.just("") | words(8, least=1))
    text = sealed("".join(body))

    with contextlib.suppress(QRRefused):
        code = decode(text)
        if code.is_static and code.amount is None:
            assert decode(with_amount(text, Decimal(1000))).amount == 1000
