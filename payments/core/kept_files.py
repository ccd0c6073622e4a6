"""Documents that people upload: what is taken, and the columns in which it is kept."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.core.errors import ServiceError
from payments.core.file_types import MediaType, read_type

# Letters of all languages stay. A path, a control character or a quote does not.
_UNSAFE = re.compile(r"[^\w .,()\-]+")
_SUFFIX = {MediaType.PDF: ".pdf", MediaType.PNG: ".png", MediaType.JPEG: ".jpg"}
NAME_MAX = 120


class FileRefused(ServiceError):
    code = "FILE_REFUSED"


class NoSuchType(FileRefused):
    message = gettext_noop("The file is no whole PDF, PNG or JPEG.")


class TooLarge(FileRefused):
    message = gettext_noop("The file has %(size)s KB. At most %(most)s KB can be added.")


class KeptFile(models.Model):
    """The type was read from the content, which is never served as a page."""

    MediaType = MediaType

    name = models.CharField(_("file"), max_length=NAME_MAX)
    media_type = models.CharField(_("type"), max_length=20, choices=MediaType.choices)
    size = models.PositiveIntegerField(_("bytes"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    content = models.BinaryField()
    added_by = models.CharField(_("added by"), max_length=150)
    added_at = models.DateTimeField(_("added at"))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


def type_is_known(name: str) -> models.CheckConstraint:
    """The constraint of each table of files."""
    types = ("application/pdf", "image/png", "image/jpeg")
    return models.CheckConstraint(condition=Q(media_type__in=types), name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    name: str
    content: bytes

    def values(
        self, *, most: int, unnamed: str, added_by: str, added_at: datetime
    ) -> dict[str, Any]:
        """The columns of a KeptFile. Raises FileRefused.

        `most`: bytes. `unnamed`: the name of a file whose own has nothing to keep.
        """
        media_type = _checked_type(self.content, most)
        return {
            "name": safe_name(self.name, media_type, unnamed),
            "media_type": media_type,
            "size": len(self.content),
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "content": self.content,
            "added_by": added_by,
            "added_at": added_at,
        }


def check_size(size: int, most: int) -> None:
    """Raises TooLarge."""
    if size > most:
        raise TooLarge(values={"size": size // 1024 + 1, "most": most // 1024})


def _checked_type(content: bytes, most: int) -> MediaType:
    check_size(len(content), most)
    if (found := read_type(content)) is None:
        raise NoSuchType
    return found


def safe_name(name: str, media_type: MediaType, unnamed: str) -> str:
    """A name with the suffix of its type, whatever the person's machine called the file."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or name
    suffix = _SUFFIX[media_type]
    clean = " ".join(_UNSAFE.sub(" ", stem).split()).strip(" .") or unnamed
    return clean[: NAME_MAX - len(suffix)] + suffix
