"""The routes of uploads."""

from typing import Any

from rest_framework.request import Request

from kit.errors import NotFound
from kit.rest.requests.multipart import read_files
from kit.rest.viewsets import AdminEndpoint
from pictures import originals
from pictures.api.serializers import FileAnswerSerializer, FilesAnswerSerializer, shown, shown_in_full
from pictures.models import Picture
from pictures.receiving import PERMISSION, receive


class Uploads(AdminEndpoint):
    """Pictures that staff upload."""

    answers = {"create": FilesAnswerSerializer, "retrieve": FileAnswerSerializer}
    permissions = {"create": PERMISSION, "retrieve": "pictures.view_picture"}
    takes_files = frozenset({"create"})
    accepts_idempotency_key = False  # the same files are the same pictures, however often they are sent

    def create(self, request: Request) -> dict[str, Any]:
        """Upload pictures: at most 10 files of 20 MiB, JPEG, PNG, WebP, AVIF or GIF, as `files` of a multipart form.

        They are converted in the background: until a picture's status is `ready`, its `url` is answered 404. With a
        session cookie the request needs an Origin that staff may use.
        """
        files = read_files(request._request, "files", directory=originals.directory())
        pictures = receive(actor=self.actor, files=files)
        return {"files": [shown(picture) for picture in pictures]}

    def retrieve(self, request: Request, id: str) -> dict[str, Any]:
        """Get an uploaded picture, for example to see whether it is ready."""
        picture = Picture.objects.visible_to(self.actor).with_id(id)
        if picture is None:
            raise NotFound(f"File with id: {id} was not found")
        return {"file": shown_in_full(picture)}
