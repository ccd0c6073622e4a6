"""Files of banks, written by hand from the published layouts. Names and numbers are invented."""

from datetime import date
from decimal import Decimal

from payments.reconciliation import formats
from payments.reconciliation.formats.values import ParsedStatement

TODAY = date(2026, 3, 20)


def read(content: str | bytes, today: date = TODAY) -> ParsedStatement:
    return formats.parse(content.encode() if isinstance(content, str) else content, today=today)


def amounts(statement: ParsedStatement) -> list[Decimal]:
    return [line.amount for line in statement.lines]


# NIT 9001234567, 2026-03-16, bank 007, account 12345678901, savings.
ASOBANCARIA = "".join(
    f"{line:<162}\r\n"
    for line in (
        "01900123456720260316007      12345678901202603170630A01",
        "0577099980012340001",
        "06" + "987654321098".zfill(48) + "00000005000000031500123400098700001230000001000",
        "06" + "5550001".zfill(48) + "00000000123450010100000000000000001230000002000",
        "080000000020000000000051234500001",
        "09000000002000000000005123450",
    )
)

BANCOLOMBIA = """\
12345678901,123,,20260301,,"1,000.00",0000,SALDO INICIAL,0
12345678901,123,,20260302,,"250,000.00",1234,PAGO LLAVE ANA PRUEBA,0
12345678901,123,,20260302,,-1000.00,4567,IMPTO GOBIERNO 4X1000,0
12345678901,123,,20260302,,"250,000.00",0000,SALDO DIA,0
12345678901,123,,04032026,,80000,1234,TRANSFERENCIA DESDE NEQUI,0
12345678901,123,,20260305,,.50,9999,ABONO INTERESES AHORROS,0
12345678901,123,,20260305,,0.00,9999,ABONO INTERESES AHORROS,0
12345678901,123,,20260306,,"330,000.50",0000,SALDO FINAL,0
"""

BOGOTA = """\
Fecha,Transacción,Oficina,Documento,Débito,Crédito
12/30,ABONO PSE,Centro,0001234567890,,"1,500.00"
12/31,GRAVAMEN MOVIMIENTOS FINANCIEROS,Centro,0,6.00,
01/02,ABONO TRANSFERENCIA,Norte,1099888777,0.00,"20,000.50"
"""

OCCIDENTE = """\
BANCO DE OCCIDENTE
Cuenta;123-45678-9

Desde 2026/03/01 hasta 2026/03/31

Fecha;Hora;Transacción;Documento;Débito;Crédito
2026/03/02;10:01;ABONO ACH;1099888777;$ 0,00;$ 111.827,59
2026/03/03;11:15;COMISION PAGO A PROVEEDORES;000000;$ 4.500,00;
"""

OWN_CSV = """\
date,account,amount,description,reference,document,counterparty,code,operation_id,balance
2026-03-01,12345678901,,,,,,,,1000.00
2026-03-02,12345678901,250000.00,Pago pedido,0098765,1.099.888-777,Ana Prueba,N1,OP-1,251000.00
2026-03-02,12345678901,-1000.00,"Comisión, marzo",,,,,OP-2,
2026-03-05,12345678901,-49000.50,=1+1,F-001,,,,,200999.50
"""

MT940 = """\
{1:F01COLOCOBMXXXX0000000000}{2:I940CLIENTEXXXXN}{4:
:20:STMT20260303
:25:1007/12345678901COP
:28C:62/1
:60F:C260301COP1000,00
:61:2603020302C250000,00NTRF000987654321//OP-1
:86:/ORDP//NAME/Ana Prueba/REMI/Pago pedido
:61:2603020303D1000,NMSCNONREF//OP-2
Comision
:86:COMISION DE MANEJO MARZO DE LA CUENTA DE AHORROS CON UN TEXTO LAR
GO
:61:2603030303RC50,5NTRFF-001
:86:166?00ABONO?20Devuelto ?21al banco?32Luis ?33Prueba
:62F:C260303COP249949,50
:64:C260303COP249949,50
-}
"""


def camt(entries: str, version: str = "08", opening: str = "1000.00", closing: str = "0") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version}">
 <BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-04T01:00:00-05:00</CreDtTm></GrpHdr>
  <Stmt>
   <Id>S1</Id>
   <FrToDt><FrDtTm>2026-03-01T00:00:00-05:00</FrDtTm>
    <ToDtTm>2026-03-03T23:59:59-05:00</ToDtTm></FrToDt>
   <Acct><Id><Othr><Id>12345678901</Id></Othr></Id><Ccy>COP</Ccy></Acct>
   <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="COP">{opening}</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>
   <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="COP">{closing}</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-03</Dt></Dt></Bal>
{entries}
  </Stmt>
 </BkToCstmrStmt>
</Document>
"""


SINGLE_ENTRY = """
   <Ntry>
    <Amt Ccy="COP">250000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><DtTm>2026-03-03T02:30:00Z</DtTm></BookgDt><ValDt><Dt>2026-03-03</Dt></ValDt>
    <AcctSvcrRef>OP-1</AcctSvcrRef>
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
    <NtryDtls><TxDtls>
     <Refs><EndToEndId>000987654321</EndToEndId></Refs>
     <RltdPties>
      <Dbtr><Pty><Nm>Ana Prueba</Nm>
       <Id><PrvtId><Othr><Id>1099888777</Id></Othr></PrvtId></Id></Pty></Dbtr>
      <Cdtr><Pty><Nm>Mi Comercio SAS</Nm></Pty></Cdtr>
     </RltdPties>
     <RmtInf><Ustrd>Pago</Ustrd><Ustrd>pedido 1</Ustrd></RmtInf>
    </TxDtls></NtryDtls>
   </Ntry>"""

# A batch of version 2: parties without <Pty>, amounts in <AmtDtls>.
BATCH_ENTRY = """
   <Ntry>
    <Amt Ccy="COP">300.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2026-03-03</Dt></BookgDt><AcctSvcrRef>B-7</AcctSvcrRef>
    <BkTxCd><Prtry><Cd>N500</Cd></Prtry></BkTxCd>
    <NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
     <TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
      <AmtDtls><TxAmt><Amt Ccy="COP">100.00</Amt></TxAmt></AmtDtls>
      <RltdPties><Cdtr><Nm>Luis Prueba</Nm></Cdtr></RltdPties>
      <RmtInf><Strd><CdtrRefInf><Ref>0012</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
     <TxDtls><Refs><AcctSvcrRef>B-7-2</AcctSvcrRef></Refs>
      <AmtDtls><TxAmt><Amt Ccy="COP">200.50</Amt></TxAmt></AmtDtls></TxDtls>
    </NtryDtls>
    <AddtlNtryInf>DISPERSION NOMINA</AddtlNtryInf>
   </Ntry>"""
