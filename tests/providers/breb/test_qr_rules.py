"""The checker of Bre-B QR texts: the standard's vector passes, each fault is named."""

import pytest

from tests.providers.breb.qr_rules import crc, elements, nested, problems

VECTOR = (
    "00020101021126330014CO.COM.RBM.LLA0411@EJEMPLO12349250014CO.COM.RBM.RED0103RBM50290013CO"
    ".COM.RBM.CU01080000000051220013CO.COM.RBM.CA01010520400005303170540815000.005802CO5914TI"
    "ENDA EJEMPLO6006BOGOTA610611011162210704POS1080200110352080290016CO.COM.RBM.CANAL0105ECO"
    "MM81250015CO.COM.RBM.CIVA01020282260014CO.COM.RBM.IVA01040.0083270015CO.COM.RBM.BASE0104"
    "0.0084250015CO.COM.RBM.CINC01020285260014CO.COM.RBM.INC01040.0090300016CO.COM.RBM.TRXID0"
    "10600000063045CD7"
)


def signed(text: str) -> str:
    """The text with a CRC that fits."""
    text = text[:-4]
    return text + crc(text)


def test_crc_of_the_published_check_string_is_29b1() -> None:
    assert crc("123456789") == "29B1"


def test_vector_without_the_networks_hash_has_no_fault() -> None:
    assert problems(VECTOR) == []
    assert problems(VECTOR, is_registered=True) == ["tag 91 is missing"]


def test_vector_is_divided_into_key_name_and_amount() -> None:
    assert elements(VECTOR)["59"] == "TIENDA EJEMPLO"
    assert elements(VECTOR)["54"] == "15000.00"
    assert nested(VECTOR)["26"] == {"00": "CO.COM.RBM.LLA", "04": "@EJEMPLO123"}


FAULTS = {
    "wrong CRC": VECTOR[:-1] + "8",
    "CRC in small letters": VECTOR[:-4] + VECTOR[-4:].lower(),
    "one character less": VECTOR[:30] + VECTOR[31:],
    "cut off": VECTOR[:-10],
    "text after the CRC": VECTOR + "5303170",
    "tag twice": signed(VECTOR.replace("5802CO", "5802CO5802CO")),
    "letters as tag": signed("XX" + VECTOR[2:]),
    "another version": signed(VECTOR.replace("000201", "000202", 1)),
    "neither static nor dynamic": signed(VECTOR.replace("010211", "010213", 1)),
    "another currency": signed(VECTOR.replace("5303170", "5303840")),
    "amount with a comma": signed(VECTOR.replace("15000.00", "15000,00")),
    "another country": signed(VECTOR.replace("5802CO", "5802US")),
    "no city": signed(VECTOR.replace("6006BOGOTA", "")),
    "no network": signed(VECTOR.replace("49250014CO.COM.RBM.RED0103RBM", "")),
    "unknown network": signed(VECTOR.replace("RED0103RBM", "RED0103XYZ")),
    "alias without its sign": signed(VECTOR.replace("@EJEMPLO123", "EEJEMPLO123")),
    "alias too short": signed(
        VECTOR.replace("26330014CO.COM.RBM.LLA0411@EJEMPLO123", "26260014CO.COM.RBM.LLA0404@EJE")
    ),
    "two networks": signed(VECTOR.replace("CO.COM.RBM.IVA", "CO.COM.CRB.IVA")),
    "unknown channel": signed(VECTOR.replace("ECOMM", "KIOSK")),
    "purpose of one digit": signed(VECTOR.replace("62210704POS1080200", "62200704POS108010")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_text_with_fault_is_refused(fault: str) -> None:
    assert FAULTS[fault] != VECTOR
    assert problems(FAULTS[fault]) != []
