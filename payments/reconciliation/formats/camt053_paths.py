"""The elements of CAMT.053 that are read. Those of other paths are never held in memory."""

# Each has values of its own.
STATEMENT, BALANCE, ENTRY, TRANSACTION = "Stmt", "Bal", "Ntry", "TxDtls"
SCOPES = frozenset({STATEMENT, BALANCE, ENTRY, TRANSACTION})
DOCUMENT = "Document"

# Where the first element of a scope stands.
_PLACES = {
    "Document/BkToCstmrStmt/Stmt": STATEMENT,
    "Stmt/Bal": BALANCE,
    "Stmt/Ntry": ENTRY,
    "Ntry/NtryDtls/TxDtls": TRANSACTION,
}
_LEAVES = (
    "Stmt/FrToDt/FrDtTm",
    "Stmt/Acct/Id/Othr/Id",
    "Stmt/Acct/Id/IBAN",
    "Stmt/Acct/Ccy",
    *(
        f"Stmt/TxsSummry/{group}/{value}"
        for group in ("TtlNtries", "TtlCdtNtries", "TtlDbtNtries")
        for value in ("NbOfNtries", "Sum")
    ),
    "Bal/Tp/CdOrPrtry/Cd",
    "Bal/Amt",
    "Bal/CdtDbtInd",
    "Bal/Dt/Dt",
    "Bal/Dt/DtTm",
    "Ntry/Amt",
    "Ntry/CdtDbtInd",
    "Ntry/Sts",
    "Ntry/Sts/Cd",
    "Ntry/BookgDt/Dt",
    "Ntry/BookgDt/DtTm",
    "Ntry/ValDt/Dt",
    "Ntry/ValDt/DtTm",
    "Ntry/AcctSvcrRef",
    "Ntry/BkTxCd/Prtry/Cd",
    "Ntry/BkTxCd/Domn/Cd",
    "Ntry/BkTxCd/Domn/Fmly/Cd",
    "Ntry/BkTxCd/Domn/Fmly/SubFmlyCd",
    "Ntry/NtryDtls/Btch/NbOfTxs",
    "Ntry/AddtlNtryInf",
    "TxDtls/Amt",
    "TxDtls/AmtDtls/TxAmt/Amt",
    "TxDtls/CdtDbtInd",
    "TxDtls/Refs/AcctSvcrRef",
    "TxDtls/Refs/TxId",
    "TxDtls/Refs/EndToEndId",
    "TxDtls/RmtInf/Ustrd",
    "TxDtls/RmtInf/Strd/CdtrRefInf/Ref",
    "TxDtls/AddtlTxInf",
    # Since version 8 a party is within <Pty>.
    *(
        f"TxDtls/RltdPties/{party}{within}/{value}"
        for party in ("Dbtr", "Cdtr")
        for within in ("", "/Pty")
        for value in ("Nm", "Id/PrvtId/Othr/Id", "Id/OrgId/Othr/Id")
    ),
)
LEAVES = frozenset(_LEAVES)
# Of the same path more than once: all of them. Of others the first one.
REPEATED = frozenset({"TxDtls/RmtInf/Ustrd"})

# Where an element stands, by its parent's place and its name.
Places = dict[tuple[str, str], str]


def places(namespace: str) -> Places:
    found: Places = {}
    for path in (*_PLACES, *_LEAVES):
        names = path.split("/")
        for depth in range(1, len(names)):
            parent, name = "/".join(names[:depth]), names[depth]
            place = f"{parent}/{name}"
            found[parent, f"{namespace} {name}"] = _PLACES.get(place, place)
    return found
