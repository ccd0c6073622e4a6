"""Invented people and firms."""

import random
from dataclasses import dataclass

FIRST_NAMES = (
    "Ana Andrés Camila Carlos Catalina Daniela David Diana Diego Edwin Fernanda Gloria Héctor "
    "Jairo Javier Jenny Jorge José Juan Julián Karen Laura Leidy Liliana Lucía Luis Luz "
    "Manuel María Marta Mauricio Miguel Mónica Natalia Nelson Óscar Paola Patricia Pedro "
    "Ricardo Rosa Sandra Santiago Sebastián Sofía Valentina Viviana William Yaneth Yolanda "
)
LAST_NAMES = (
    "Acosta Agudelo Álvarez Arango Arias Ávila Ballesteros Bedoya Benítez Bolívar Cabrera "
    "Cárdenas Castaño Castro Chacón Chicangana Correa Cuaspud Delgado Díaz Duarte Escobar "
    "Espitia Fajardo Franco García Giraldo Gómez Guerrero Henao Hurtado Iguarán Jaramillo "
    "Jiménez Lozano Marín Martínez Medina Mejía Mosquera Moreno Muñoz Narváez Núñez Ñáñez "
    "Ocampo Orozco Ospina Palacios Peña Pérez Pineda Quintero Quiñones Ramírez Restrepo Ríos "
    "Rodríguez Rojas Salazar Sánchez Suárez Tisoy Torres Urrego Valencia Vargas Vélez "
    "Villamizar Zapata Zuluaga "
)
FIRMS = (
    "Finca La Esperanza",
    "Empaques del Sur SAS",
    "Transportes Galeras Ltda",
    "Tostadora El Roble SAS",
    "Papelería Andina",
    "Aseo y Cafetería Nariño",
    "Textiles Guatavita SAS",
    "Distribuidora Peñón & Cía",
)
FIRST = FIRST_NAMES.split()
LAST = LAST_NAMES.split()
BANKS = ("bancolombia", "davivienda", "banco-de-bogota", "bbva-colombia", "nequi")


@dataclass(frozen=True)
class Person:
    name: str
    document_type: str
    document: str
    phone: str

    @property
    def email(self) -> str:
        return f"cliente{self.document}@example.com"


@dataclass(frozen=True)
class Destination:
    """Where a payout goes."""

    person: Person
    bank: str
    account_type: str
    number: str


class People:
    """Draws people without drawing a document twice."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._documents: set[str] = set()

    def customer(self) -> Person:
        chance = self._chance
        name = " ".join([*chance.sample(FIRST, chance.choice((1, 2, 2))), *chance.sample(LAST, 2)])
        return Person(name, "CC", self._document(), f"3{chance.randint(0, 10**9 - 1):09}")

    def firm(self) -> Person:
        chance = self._chance
        document = f"9{chance.randint(0, 10**8 - 1):08}"
        return Person(chance.choice(FIRMS), "NIT", document, f"3{chance.randint(0, 10**9 - 1):09}")

    def destination(self, person: Person) -> Destination:
        bank = self._chance.choice(BANKS)
        if bank == "nequi":
            return Destination(person, bank, "SAVINGS", person.phone)
        kind = self._chance.choice(("SAVINGS", "CHECKING"))
        return Destination(person, bank, kind, f"{self._chance.randint(10**9, 10**11 - 1):011}")

    def _document(self) -> str:
        while True:
            start = self._chance.choice((1_000_000_000, 0))
            document = str(start + self._chance.randint(10**7, 10**8))
            if document not in self._documents:
                self._documents.add(document)
                return document
