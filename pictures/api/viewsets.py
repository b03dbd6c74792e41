"""The routes of uploads."""

from typing import Any

from rest_framework.request import Request

from kit.errors import InvalidData, NotFound
from kit.rest.endpoint import Endpoint
from kit.rest.requests.multipart import file_of_body, read_files
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint
from kit.spreadsheets.sent_files import TYPES
from kit.values.public_address import absolute
from pictures import originals, presigned
from pictures.api import serializers
from pictures.api.inputs import PresignedUrlInput
from pictures.api.serializers import shown, shown_in_full
from pictures.deletion import delete
from pictures.models import Picture
from pictures.receiving import EXTENSIONS, LARGEST_FILE, PERMISSION, receive
from pictures.states import PictureStatus


class Uploads(AdminEndpoint):
    """Pictures that staff upload."""

    answers = {
        "create": serializers.FilesAnswerSerializer,
        "retrieve": serializers.FileAnswerSerializer,
        "destroy": DeletedSerializer,
    }
    permissions = {"create": PERMISSION, "retrieve": "pictures.view_picture", "destroy": "pictures.delete_picture"}
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

    def destroy(self, request: Request, id: str) -> dict[str, Any]:
        """Delete an uploaded picture that nothing uses. One that is unused for a day is deleted anyway."""
        delete(actor=self.actor, file_id=id)
        return {"id": id, "object": "file", "deleted": True}


class PresignedUrls(AdminEndpoint):
    """Addresses to which a page sends a file itself."""

    inputs = {"create": PresignedUrlInput}
    answers = {"create": serializers.PresignedUrlSerializer}
    permissions = {"create": PERMISSION}

    def require_permission(self) -> None:
        """Who may import spreadsheets may send one: for what else, `sign` asks."""
        if not presigned.may_send(self.actor.may, is_spreadsheet=True):
            super().require_permission()

    def create(self, request: Request) -> dict[str, Any]:
        """Create an address for one file of exactly that size. It takes it by PUT, once, within 15 minutes.

        A spreadsheet (CSV, XLSX) is kept for a day, for POST /admin/products/imports. Who may import may send one, also
        without the permission for pictures.
        """
        asked = {name: self.body()[name] for name in ("originalname", "mime_type", "size")}
        is_spreadsheet = asked["mime_type"] in TYPES
        if not is_spreadsheet and asked["size"] > LARGEST_FILE:
            raise InvalidData(f"Invalid request: Value for field 'size' too big, expected at most: '{LARGEST_FILE}'")
        token, name = presigned.sign(actor=self.actor, size=asked["size"], is_spreadsheet=is_spreadsheet)
        url = request.build_absolute_uri(absolute(presigned.PATH + token))
        return {"url": url, "filename": name, "extension": {**EXTENSIONS, **TYPES}[asked["mime_type"]], **asked}


class PresignedUploads(Endpoint):
    """The addresses themselves. They ask for no other credential."""

    answers = {"receive": serializers.UploadedFileSerializer}
    private = True
    takes_files = frozenset({"receive"})
    _signed: presigned.SignedUpload

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The address is judged before the file arrives."""
        super().initial(request, *args, **kwargs)
        if request.method == "PUT":
            self._signed = presigned.opened(kwargs["token"])
            self.largest_file = self._signed.size

    def receive(self, request: Request, token: str) -> dict[str, Any]:
        """Upload the file that the address was created for: its bytes are the body, of any content type."""
        with file_of_body(request._request, largest=self._signed.size, directory=originals.directory()) as file:
            if self._signed.is_spreadsheet:
                presigned.receive_spreadsheet(self._signed, file)
                return {"file": {"id": self._signed.id, "url": "", "status": PictureStatus.READY}}
            return {"file": shown(presigned.receive(self._signed, file))}
