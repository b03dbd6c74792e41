"""GET /media/<name>: the files of pictures that lie beside the server."""

from django.core.files.storage import FileSystemStorage, default_storage
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase

from commerce.kit.api.errors import unknown_route
from commerce.kit.api.read_only import read_only
from commerce.pictures.names import NAME

_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Content-Type": "image/webp",
    "X-Content-Type-Options": "nosniff",
}


@read_only
def serve(request: HttpRequest, name: str) -> HttpResponseBase:
    """The file; 404 until the picture is ready, and where another server has the files."""
    if not NAME.fullmatch(name) or not isinstance(default_storage, FileSystemStorage):
        return unknown_route(request)
    try:
        file = default_storage.open(name)
    except FileNotFoundError:
        return unknown_route(request)
    return FileResponse(file, headers=_HEADERS)
