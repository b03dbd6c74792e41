"""The admin routes of a resource: they follow from its declaration, and from that of the verbs of its rows."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.urls import URLPattern, path
from rest_framework.request import Request

from kit.domain.actor import Actor
from kit.editing.batches import MOST_ROWS, write_batch
from kit.editing.regrouping import Members
from kit.editing.verbs import RowVerbs
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.query.selection import Selection
from kit.reads.plans.rows import Answer
from kit.rest.reads import List, Retrieve
from kit.rest.requests.input_fields import ListField
from kit.rest.requests.inputs import Input
from kit.rest.requests.row_inputs import Sendable, batch_input, row_input
from kit.rest.responses.answers import DeletedSerializer, batch_answer, shown_batch
from kit.rest.row_versions import VersionedEndpoint
from kit.rest.viewsets import permissions_on
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from kit.values.timestamps import parse_moment


class MembersInput(Input):
    """Ids to add and to remove."""

    add = ListField(required=False, max_length=500)
    remove = ListField(required=False, max_length=500)


class RowEndpoint(List, Retrieve, WriteEndpoint, VersionedEndpoint):
    """Lists, reads, creates, changes, deletes and restores the rows of `verbs`.

    body_fields: fields of the body instead of those that follow from columns; None for columns that cannot be sent.
    members: what `{add, remove}` changes, by its name in actions, such as `update_products`.
    dry_runs: of the actions that the class itself defines; those of rows are added unless the class replaces them.
    """

    verbs: ClassVar[RowVerbs[Any]]
    body_fields: ClassVar[Mapping[str, Sendable | None]] = {}
    members: ClassVar[Mapping[str, Members]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if hasattr(cls, "verbs"):
            cls._declare()
        super().__init_subclass__(**kwargs)

    @classmethod
    def _declare(cls) -> None:
        """What follows from the verbs, beside what the class itself declares."""
        meta = cls.verbs.model._meta
        app, name = meta.app_label, meta.object_name
        cls.permissions = {
            **permissions_on(f"{app}.{meta.model_name}"),
            "batch": f"{app}.change_{meta.model_name}",
            **{f"update_{one}": members.permission for one, members in cls.members.items()},
            **cls.permissions,
        }
        for one, members in cls.members.items():
            setattr(cls, f"update_{one}", _changing(members))
        actions = ("create", "update", "destroy", "restore", "batch", *(f"update_{one}" for one in cls.members))
        own = frozenset(cls.__dict__.get("dry_runs", ()))
        cls.dry_runs = own | {action for action in actions if _is_ours(cls, action)}
        cls.inputs = {
            **{f"update_{one}": MembersInput for one in cls.members},
            **cls.inputs,
            "create": cls.inputs.get("create") or cls._input(f"{name}Input", is_new=True),
            "update": cls.inputs.get("update") or cls._input(f"{name}ChangesInput", is_new=False),
        }
        cls.inputs = {"batch": batch_input(cls.verbs, f"{name}BatchInput", cls.inputs), **cls.inputs}
        cls.answers = {"destroy": DeletedSerializer, "batch": batch_answer(cls.resource), **cls.answers}

    @classmethod
    def _input(cls, name: str, *, is_new: bool) -> type[Input]:
        return row_input(cls.verbs, name, is_new=is_new, **cls.body_fields)

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

    def restore(self, request: Request, id: str) -> JSONObject:
        """Restore a deleted {noun}."""
        self.verbs.restore(actor=self.actor, ids=[id])
        return self.written(id)

    def batch(self, request: Request) -> JSONObject:
        """Create, change and delete up to 500 {nouns}: all of them, or none.

        Requires the permission to change them, and those to add and delete them if the batch does so.
        """
        done = write_batch(self.verbs, actor=self.actor, **self.body())
        return shown_batch(done, self.answers_by_id([*done.created, *done.updated]), self.resource.name)

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return ("fields",) if action == "batch" else super().offered(action)

    def answers_by_id(self, ids: Sequence[str]) -> Mapping[str, Answer]:
        """The rows by id, with the fields that the query selects. One read for all of them."""
        key, selection = self.resource.key, self.read_query.selection
        if key not in selection.scalars:
            selection = replace(selection, scalars=(key, *selection.scalars))
        asked = replace(self.read_query, selection=selection, condition=Is("pk__in", tuple(ids)), page=Page(MOST_ROWS))
        reader = self.actor.with_permission(self.permissions["retrieve"])
        return {row[key]: row for row in self.resource.page(asked, reader).answers}

    def read(self, id: str, *, actor: Actor) -> dict[str, Any]:
        """The row. Its `updated_at` becomes the ETag of the response."""
        row = super().read(id, actor=actor)
        moment = row.get("updated_at")
        if moment is None:
            asked = replace(self.read_query, selection=Selection(("updated_at",)))
            moment = self.answered(self.action).one(id, asked, actor)["updated_at"]
        self.tag(moment)
        return row

    def _handle(self) -> JSONObject:
        """In one transaction: a refused response, such as one with too many related rows, leaves nothing changed."""
        with transaction.atomic() if self.writes else nullcontext():
            return super()._handle()

    def _version(self) -> datetime | None:
        """The `updated_at` in the header If-Match."""
        return self.held(parse_moment)


def _is_ours(cls: type[RowEndpoint], action: str) -> bool:
    """Whether these bases define the action; a subclass may do there what cannot be undone."""
    return str(getattr(cls, action).__module__).startswith("kit.rest.")


def _changing(members: Members) -> Callable[..., JSONObject]:
    def change(self: RowEndpoint, request: Request, id: str) -> JSONObject:
        members.change(actor=self.actor, id=id, **self.body())
        return self.written(id)

    change.__doc__ = members.about
    return change


def member_routes(name: str, endpoint: type[RowEndpoint]) -> list[URLPattern]:
    """POST of the members of a row, by `{add, remove}`."""
    return [
        path(f"{name}/<str:id>/{members.path or one.replace('_', '-')}", endpoint.as_view({"post": f"update_{one}"}))
        for one, members in endpoint.members.items()
    ]


def row_route(route: str, endpoint: type[RowEndpoint]) -> URLPattern:
    """GET, POST and DELETE of one row."""
    actions = {"get": "retrieve", "post": "update"} | ({"delete": "destroy"} if endpoint.verbs.can_delete else {})
    one: URLPattern = path(route, endpoint.as_view(actions))
    return one


def row_routes(name: str, endpoint: type[RowEndpoint]) -> list[URLPattern]:
    """GET and POST of the list under that name; GET, POST and DELETE of one row; and its other routes."""
    verbs = endpoint.verbs
    return [
        path(name, endpoint.as_view({"get": "list", "post": "create"})),
        *([path(f"{name}/batch", endpoint.as_view({"post": "batch"}))] if verbs.writes_batches else ()),
        row_route(f"{name}/<str:id>", endpoint),
        *([path(f"{name}/<str:id>/restore", endpoint.as_view({"post": "restore"}))] if verbs.can_restore else ()),
        *member_routes(name, endpoint),
    ]
