"""GET /media/<name>: the files of pictures, or where they are."""

from django.core.files.storage import FileSystemStorage, default_storage
from django.http import FileResponse, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from kit.rest.read_only import read_only
from kit.rest.responses.errors import unknown_route
from kit.values.public_address import MEDIA_PATH, absolute
from pictures.names import CONTENT_TYPE, IMMUTABLE, NAME

_HEADERS = {
    "Cache-Control": IMMUTABLE,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Content-Type": CONTENT_TYPE,
    "X-Content-Type-Options": "nosniff",
}
_REDIRECT = {"Cache-Control": "public, max-age=3600"}


@read_only
def serve(request: HttpRequest, name: str) -> HttpResponseBase:
    """The file; 404 until the picture is ready. If another server has the files, a redirect to it."""
    if not NAME.fullmatch(name):
        return unknown_route(request)
    if not isinstance(default_storage, FileSystemStorage):
        return HttpResponseRedirect(absolute(f"{MEDIA_PATH}{name}"), headers=_REDIRECT)
    try:
        file = default_storage.open(name)
    except FileNotFoundError:
        return unknown_route(request)
    return FileResponse(file, headers=_HEADERS)
