"""Texts of QR codes. Persons, keys and shops are invented."""

from payments.providers.breb_qr.checksum import sealed

# Of the standard's fields, with an amount; without field 91, which only networks make.
WITH_AMOUNT = (
    "00020101021126330014CO.COM.RBM.LLA0411@EJEMPLO12349250014CO.COM.RBM.RED0103RBM"
    "50290013CO.COM.RBM.CU01080000000051220013CO.COM.RBM.CA01010520400005303170540815000.00"
    "5802CO5914TIENDA EJEMPLO6006BOGOTA610611011162210704POS1080200110352080290016"
    "CO.COM.RBM.CANAL0105ECOMM81250015CO.COM.RBM.CIVA01020282260014CO.COM.RBM.IVA01040.00"
    "83270015CO.COM.RBM.BASE01040.0084250015CO.COM.RBM.CINC01020285260014CO.COM.RBM.INC"
    "01040.0090300016CO.COM.RBM.TRXID010600000063045CD7"
)
# As banks write them: fields in another order, no field 54, names of templates after the values.
AS_BANKS_WRITE = sealed(
    "000201550202010211560105802CO5911MERCHNAMEDO26320210300101010100"
    "14CO.COM.RBM.LLA49250103RBM0014CO.COM.RBM.RED903001060000000016CO.COM.RBM.TRXID"
    "80270103APP0016CO.COM.RBM.CANAL91460124Y75LNJWeHRvIt3I5SD+O2ARZ0014CO.COM.RBM.SEC"
    "81250102030015CO.COM.RBM.CIVA601211001 BOGOTA8223010100014CO.COM.RBM.IVA"
    "503001091234567890013CO.COM.RBM.CU6105110018324010100015CO.COM.RBM.BASE"
    "62200303003070300008020084250102030015CO.COM.RBM.CINC520400008523010100014CO.COM.RBM.INC"
    "530317064210002ES0111MERCHNAMEDO"
)


def tlv(tag: str, value: str) -> str:
    return f"{tag}{len(value):02d}{value}"


def template(tag: str, name: str, *inside: str) -> str:
    return tlv(tag, tlv("00", name) + "".join(inside))


def static(*more: str, key: str = tlv("04", "@EJEMPLO1234"), **changed: str) -> str:
    """A plain static code. `changed` has fields by their names below; an empty text: none."""
    told = {
        "version": tlv("00", "01"),
        "method": tlv("01", "11"),
        "key": template("26", "CO.COM.RBM.LLA", key),
        "category": tlv("52", "0000"),
        "currency": tlv("53", "170"),
        "amount": "",
        "country": tlv("58", "CO"),
        "name": tlv("59", "TIENDA EJEMPLO"),
        "city": tlv("60", "BOGOTA"),
    } | changed
    return sealed("".join(told.values()) + "".join(more))


# As a bank gives it to a shop, registered: no amount, and the network's hash.
OF_A_SHOP = sealed(
    WITH_AMOUNT[:-8].replace("540815000.00", "54040.00")
    + template("91", "CO.COM.RBM.SEC", tlv("01", "Y75LNJWeHRvIt3I5SD+O2ARZ"))
)
KEY_OF_A_SHOP = "@EJEMPLO123"
