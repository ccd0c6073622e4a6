"""Django's schema editor without indexes for LIKE that no query needs.

Django gives each indexed text column a second index (`..._like`), because in other collations than
C an ordinary index cannot find a prefix. In collation C it can. The values of foreign keys are
compared as a whole.
"""

from typing import Any

from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from django.db.models import Field, Model


class SchemaEditor(DatabaseSchemaEditor):
    def _create_like_index_sql(self, model: type[Model], field: "Field[Any, Any]") -> Any:
        if field.is_relation or getattr(field, "db_collation", None) == "C":
            return None
        return super()._create_like_index_sql(model, field)  # type: ignore[misc]
