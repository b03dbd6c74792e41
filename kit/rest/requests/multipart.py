"""Request bodies that are files, or multipart forms with files, read from disk to disk."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, cast

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.serializers import FileField, ListField, Serializer

from kit.errors import InvalidData

MEDIA_TYPE = "multipart/form-data"
_CHUNK = 64 * 1024


class FilesForm(Serializer[Any]):
    """A form with files."""

    files = ListField(child=FileField())


class FileForm(Serializer[Any]):
    """A form with one file."""

    file = FileField()


class MultipartExpected(UnsupportedMediaType):
    """The body is not a multipart form."""


class _File(TemporaryUploadedFile):
    """Django's own lies in a directory that a setting names, and `check` wants to exist."""

    def __init__(self, handler: "_Handler", directory: Path) -> None:
        file = NamedTemporaryFile(dir=directory, suffix=".upload")  # noqa: SIM115 - its user closes it
        UploadedFile.__init__(self, file, handler.file_name, handler.content_type, 0, handler.charset)


class _Handler(TemporaryFileUploadHandler):
    def __init__(self, request: HttpRequest, directory: Path) -> None:
        super().__init__(request)
        self._directory = directory

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        FileUploadHandler.new_file(self, *args, **kwargs)
        self.file = _File(self, self._directory)


def require_multipart(request: HttpRequest) -> None:
    """Raise MultipartExpected unless the Content-Type is that of a form with files."""
    if request.content_type != MEDIA_TYPE:
        raise MultipartExpected((request.content_type or "")[:100])


def read_files(
    request: HttpRequest, field: str, *, directory: Path, is_page: bool = False
) -> Sequence[TemporaryUploadedFile]:
    """The form's files in that field, on disk in the directory; they are deleted once they are closed.

    is_page: whether the form is that of a page, which has other fields beside. Raises InvalidData for a malformed form,
    or another field.
    """
    request.upload_handlers = [_Handler(request, directory)]
    try:
        files = request.FILES
    except (MultiPartParserError, BadRequest, SuspiciousOperation, RequestDataTooBig) as error:
        raise InvalidData(f"Malformed form: {error}") from None
    unknown = sorted({*files, *(() if is_page else request.POST)} - {field})
    if unknown:
        raise InvalidData(f"Invalid request: Unrecognized fields: '{', '.join(unknown)[:100]}'")
    return cast(Sequence[TemporaryUploadedFile], files.getlist(field))


@contextmanager
def file_of_body(request: HttpRequest, *, largest: int, directory: Path) -> Iterator[IO[bytes]]:
    """The body as a named file in the directory, which is deleted after the block. Of a longer one, a byte too many."""
    with NamedTemporaryFile(dir=directory, suffix=".upload") as file:
        while chunk := request.read(min(_CHUNK, largest + 1 - file.tell())):
            file.write(chunk)
        file.flush()
        yield file
