"""Uploaded documents on pages of the console: the field of a form, a link, and the download."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString

from payments.console.widgets import FileWidget
from payments.core.errors import ServiceError
from payments.core.kept_files import KeptFile, NewFile, check_size


class DocumentField(forms.FileField):
    """A PDF, PNG or JPEG. The service reads the type from the content."""

    def __init__(self, **options: Any) -> None:
        widget = FileWidget({"accept": ".pdf,.png,.jpg,.jpeg"})
        super().__init__(max_length=200, widget=widget, **options)


def checked(file: UploadedFile, most: int) -> UploadedFile:
    """Of a form: before the content is read. Raises ValidationError."""
    try:
        check_size(file.size or 0, most)
    except ServiceError as error:
        raise forms.ValidationError(error.shown()) from None
    return file


def read(file: UploadedFile) -> NewFile:
    return NewFile(name=file.name or "", content=file.read())


def megabytes(size: int) -> str:
    return f"{size / 1024**2:g}"


def file_link(file: KeptFile, address: str) -> SafeString:
    style = "shell-whole text-primary-600 dark:text-primary-500"
    return format_html('<a class="{}" href="{}" download>{}</a>', style, address, file.name)


def kilobytes(file: KeptFile) -> str:
    return f"{max(file.size // 1024, 1):,} KB"


def download(file: KeptFile) -> HttpResponse:
    """The browser never shows the content as a page."""
    response = HttpResponse(bytes(file.content), content_type=file.media_type)
    disposition = content_disposition_header(True, file.name)
    response.headers["Content-Disposition"] = disposition or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store, private"
    # Also if a browser shows it all the same, no script runs in it.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
