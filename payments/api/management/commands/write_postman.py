"""`manage.py write_postman`: the Postman collection in docs/."""

from django.conf import settings

from payments.api.reference import postman
from payments.core import jsontext
from payments.core.management.generated_file import GeneratedFileCommand

FILE = settings.BASE_DIR / "docs" / "pasarela.postman_collection.json"


class Command(GeneratedFileCommand):
    help = "Writes the Postman collection from the schema."
    file = FILE
    source = "schema"

    def generate(self, current: str) -> str:
        return jsontext.pretty(postman.collection()) + "\n"
