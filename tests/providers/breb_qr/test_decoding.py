"""What a QR code says, and why one is refused."""

from decimal import Decimal

import pytest

from payments.providers.breb_qr.checksum import crc16, sealed
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.refusals import MESSAGES, QRRefused, Reason
from payments.providers.breb_qr.values import BrebKey, KeyType
from tests.providers.breb_qr.samples import AS_BANKS_WRITE, WITH_AMOUNT, static, template, tlv


def refusal(text: str) -> tuple[Reason, str]:
    with pytest.raises(QRRefused) as refused:
        decode(text)
    assert str(refused.value)
    return refused.value.reason, refused.value.field


# Catalogue of parametrised CRC algorithms, "CRC-16/IBM-3740", also called CCITT-FALSE.
@pytest.mark.parametrize(
    ("data", "crc"), [(b"123456789", 0x29B1), (b"", 0xFFFF), (b"A", 0xB915), (b"\x00", 0xE1F0)]
)
def test_the_checksum_has_the_published_values(data, crc):
    assert crc16(data) == crc


def test_a_code_of_the_standard_is_read():
    code = decode(WITH_AMOUNT)

    assert WITH_AMOUNT.endswith("5CD7")
    assert code.is_static
    assert code.key == BrebKey(KeyType.ALPHANUMERIC, "@EJEMPLO123")
    assert (code.operator, code.network) == ("RBM", "RBM")
    assert (code.merchant_code, code.aggregator_code) == ("00000000", "0")
    assert (code.version, code.currency, code.country) == ("01", "170", "CO")
    assert code.category_code == "0000"
    assert code.amount == Decimal(15000)
    assert (code.name, code.city, code.postal_code) == ("TIENDA EJEMPLO", "BOGOTA", "110111")
    assert code.additional.terminal == "POS1"
    assert (code.additional.purpose, code.additional.channel) == ("00", "520")
    assert code.channel == "ECOMM"
    assert (code.taxes.vat_condition, code.taxes.vat, code.taxes.vat_base) == ("02", "0.00", "0.00")
    assert (code.taxes.consumption_condition, code.taxes.consumption) == ("02", "0.00")
    assert (code.transaction_id, code.security_hash) == ("000000", "")


def test_a_code_with_its_fields_in_another_order_is_read():
    code = decode(f"  {AS_BANKS_WRITE}\r\n")

    assert code.key == BrebKey(KeyType.PHONE, "3001010101")
    assert code.amount is None
    assert code.name == "MERCHNAMEDO"
    assert code.city == "11001 BOGOTA"
    assert code.merchant_code == "123456789"
    assert code.additional.store == "003"
    assert code.security_hash == "Y75LNJWeHRvIt3I5SD+O2ARZ"
    assert not code.tip.is_added


@pytest.mark.parametrize(
    ("tag", "kind", "value"),
    [
        ("01", KeyType.ID, "1099888777"),
        ("02", KeyType.PHONE, "3001010101"),
        ("03", KeyType.EMAIL, "ana@example.com"),
        ("04", KeyType.ALPHANUMERIC, "@ana123"),
        ("05", KeyType.BCODE, "0012345678"),
    ],
)
def test_each_kind_of_key_is_read(tag, kind, value):
    assert decode(static(key=tlv(tag, value))).key == BrebKey(kind, value)


def test_the_operator_of_the_fields_is_told():
    key = template("26", "CO.COM.CRB.LLA", tlv("02", "3001010101"))
    body = static()[:-8].replace(template("26", "CO.COM.RBM.LLA", tlv("04", "@EJEMPLO1234")), key)

    assert decode(sealed(body)).operator == "CRB"


def test_a_code_of_cards_has_no_key():
    text = static(method=tlv("01", "12"))[:-8].replace("LLA", "XYZ")

    code = decode(sealed(text))

    assert code.key is None
    assert not code.is_static


@pytest.mark.parametrize(
    ("amount", "read"),
    [
        ("1", Decimal(1)),
        ("15000", Decimal(15000)),
        ("15000.", Decimal(15000)),
        ("15000.5", Decimal("15000.5")),
        ("9999999999.99", Decimal("9999999999.99")),
        ("0", None),
        ("0.00", None),
    ],
)
def test_amounts_are_read_and_zero_is_none(amount, read):
    assert decode(static(amount=tlv("54", amount))).amount == read


@pytest.mark.parametrize(
    "amount", ["15,000", "15.000", "15000,00", "-1", "+1", "1e5", " 15", "1.2.3", ".5", "١٥"]
)
def test_amounts_that_could_mean_something_else_are_refused(amount):
    assert refusal(static(amount=tlv("54", amount))) == (Reason.BAD_AMOUNT, "54")


def test_names_with_accents_are_counted_in_characters():
    text = static(name=tlv("59", "CAFÉ DE LA PEÑA"))

    assert "5915CAFÉ" in text
    assert decode(text).name == "CAFÉ DE LA PEÑA"


def test_names_with_accents_whose_length_counts_bytes_are_refused():
    text = static(name="5917CAFÉ DE LA PEÑA")

    assert refusal(text)[0] in (Reason.BAD_TAG, Reason.BAD_LENGTH, Reason.TRUNCATED)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_is_refused(text):
    assert refusal(text) == (Reason.EMPTY, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://example.com/pay", (Reason.NOT_EMV, "")),
        ("hola", (Reason.NOT_EMV, "")),
        ("00020201" + WITH_AMOUNT[8:], (Reason.NOT_EMV, "")),
        ("000201" + "A" * 1024, (Reason.TEXT_TOO_LONG, "")),
        (WITH_AMOUNT.replace("TIENDA", "TIE\u202eDA"), (Reason.NOT_PRINTABLE, "")),
        (WITH_AMOUNT.replace("TIENDA", "TIE\x00DA"), (Reason.NOT_PRINTABLE, "")),
        (WITH_AMOUNT.replace("TIENDA", "TIE\ud800DA"), (Reason.NOT_PRINTABLE, "")),
        (WITH_AMOUNT.replace("TIENDA", "TIENDO"), (Reason.BAD_CRC, "63")),
        (WITH_AMOUNT[:-4] + "5cd7", (Reason.BAD_CRC, "63")),
        (WITH_AMOUNT[:-1], (Reason.NO_CRC, "63")),
        (WITH_AMOUNT[:-8], (Reason.NO_CRC, "63")),
        (WITH_AMOUNT[:100], (Reason.NO_CRC, "63")),
        (WITH_AMOUNT + "5802CO", (Reason.NO_CRC, "63")),
        (sealed(WITH_AMOUNT), (Reason.DUPLICATE_TAG, "63")),
        (sealed("000201010"), (Reason.TRUNCATED, "01")),
        (sealed("0002010102115914TIENDA"), (Reason.TRUNCATED, "59")),
        (sealed("000201XX0211"), (Reason.BAD_TAG, "00")),
        (sealed("00020101X211"), (Reason.BAD_LENGTH, "01")),
        (sealed("00020101²211"), (Reason.BAD_LENGTH, "01")),
        (sealed("0002010100"), (Reason.BAD_LENGTH, "01")),
        (static(tlv("59", "OTRA TIENDA")), (Reason.DUPLICATE_TAG, "59")),
        (static(method=""), (Reason.MISSING_FIELD, "01")),
        (static(name=""), (Reason.MISSING_FIELD, "59")),
        (static(name=tlv("59", "   ")), (Reason.MISSING_FIELD, "59")),
        (static(currency=""), (Reason.MISSING_FIELD, "53")),
        (static(country=""), (Reason.MISSING_FIELD, "58")),
        (static(method=tlv("01", "13")), (Reason.BAD_VALUE, "01")),
        (static(currency=tlv("53", "840")), (Reason.WRONG_CURRENCY, "53")),
        (static(country=tlv("58", "BR")), (Reason.WRONG_COUNTRY, "58")),
        (static(name=tlv("59", "N" * 26)), (Reason.FIELD_TOO_LONG, "59")),
        (static(city=tlv("60", "C" * 16)), (Reason.FIELD_TOO_LONG, "60")),
        (static(amount=tlv("54", "12345678901.00")), (Reason.FIELD_TOO_LONG, "54")),
        (static(category=tlv("52", "00A0")), (Reason.NOT_DIGITS, "52")),
        (static(category=tlv("52", "00000")), (Reason.FIELD_TOO_LONG, "52")),
        (static(tlv("61", "1" * 11)), (Reason.FIELD_TOO_LONG, "61")),
        (static(tlv("55", "X2")), (Reason.NOT_DIGITS, "55")),
        (static(tlv("62", "08")), (Reason.TRUNCATED, "62.08")),
        (static(tlv("62", "08020008020A")), (Reason.DUPLICATE_TAG, "62.08")),
        (static(key="041"), (Reason.TRUNCATED, "26.04")),
        (static(key=""), (Reason.NO_KEY, "26")),
        (static(key=tlv("04", "@ana123") + tlv("02", "3001010101")), (Reason.SEVERAL_KEYS, "26")),
        (static(key=tlv("04", "@ana123") + tlv("04", "@eva123")), (Reason.DUPLICATE_TAG, "26.04")),
    ],
)
def test_texts_are_refused_with_the_reason_and_the_field(text, reason):
    assert refusal(text) == reason


def test_each_reason_has_a_sentence():
    assert set(MESSAGES) == set(Reason)
    for reason in Reason:
        assert "%(" not in str(QRRefused(reason, "54"))
