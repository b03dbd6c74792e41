"""Routes of rows that staff maintain: they follow from the declaration of the rows' verbs and of their resource."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import URLPattern, path
from rest_framework.request import Request

from kit.domain.actor import Actor
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.rest.reads import List, Retrieve
from kit.rest.requests.input_fields import ListField
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import Sendable, row_input
from kit.rest.responses.answers import DeletedSerializer
from kit.rest.viewsets import AdminEndpoint, permissions_on
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat, parse_moment


class MembersInput(Input):
    """Ids of rows that are put into a group, and of those that are taken out."""

    add = ListField(required=False, max_length=500)
    remove = ListField(required=False, max_length=500)


class RowEndpoint(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Reads and writes the rows of `verbs`.

    sent: fields of the body that do not follow from columns; None for columns that cannot be sent.
    """

    verbs: ClassVar[RowVerbs[Any]]
    sent: ClassVar[Mapping[str, Sendable | None]] = {}
    _etag = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        meta = cls.verbs.model._meta
        name = meta.object_name
        cls.permissions = {**permissions_on(f"{meta.app_label}.{meta.model_name}"), **cls.permissions}
        cls.inputs = {
            **cls.inputs,
            "create": cls.inputs.get("create") or row_input(cls.verbs, f"{name}Input", is_new=True, **cls.sent),
            "update": cls.inputs.get("update") or row_input(cls.verbs, f"{name}ChangesInput", is_new=False, **cls.sent),
        }
        cls.answers = {"destroy": DeletedSerializer, **cls.answers}
        super().__init_subclass__(**kwargs)

    def create(self, request: Request) -> JSONObject:
        """Create a {noun}."""
        return self.written(self.verbs.create(actor=self.actor, **self.body()).pk)

    def update(self, request: Request, id: str) -> JSONObject:
        """Change a {noun}. Omitted fields are not changed, and metadata is merged."""
        self.verbs.update(actor=self.actor, id=id, version=self._version(), **self.body())
        return self.written(id)

    def destroy(self, request: Request, id: str) -> JSONObject:
        """Delete a {noun}."""
        self.verbs.delete(actor=self.actor, ids=[id], version=self._version())
        return self.deleted(id)

    def read(self, id: str, *, actor: Actor) -> dict[str, Any]:
        """The row, whose `updated_at` is the ETag of the response."""
        row = super().read(id, actor=actor)
        moment = row.get("updated_at")
        if moment is None:
            rows = self.answered(self.action).serializer_class.Meta.model._default_manager.filter(pk=id)
            moment = isoformat(rows.values_list("updated_at", flat=True).get())
        self._etag = f'"{moment}"'
        return row

    def perform(self) -> HttpResponse:
        response = super().perform()
        if self._etag:
            response.headers["ETag"] = self._etag
        return response

    def _version(self) -> datetime | None:
        """The `updated_at` that the header If-Match names. Proxies that compress responses make the tag a weak one."""
        tag = self.request.META.get("HTTP_IF_MATCH", "*")
        if tag == "*":
            return None
        moment = parse_moment(tag.removeprefix("W/").strip('"'))
        if moment is None:
            raise InvalidData("Invalid request: Header 'If-Match' must be the ETag of an earlier response")
        return moment


def row_routes(name: str, endpoint: type[RowEndpoint]) -> list[URLPattern]:
    """GET and POST of the list under that name; GET, POST and DELETE of one row."""
    one = {"get": "retrieve", "post": "update", "delete": "destroy"}
    return [
        path(name, endpoint.as_view({"get": "list", "post": "create"})),
        path(f"{name}/<str:id>", endpoint.as_view(one)),
    ]
