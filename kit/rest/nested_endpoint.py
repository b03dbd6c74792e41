"""Routes of maintained rows that belong to another row, which the path names."""

from collections.abc import Collection
from typing import Any, ClassVar

from rest_framework.request import Request

from kit.editing.nested_rows import NestedRows
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from kit.rest.row_endpoint import RowEndpoint
from kit.values.json import JSONObject


class NestedEndpoint(RowEndpoint):
    """Rows that belong to a parent: `/customers/{id}/addresses/{address_id}`. within: the column of the parent's id.

    parent: the resource that responses to new and changed rows contain, in the place of the row.
    parent_key: its name in the response to a deletion, which contains it then, too.
    """

    parent: ClassVar[Resource | None] = None
    parent_key: ClassVar[str] = ""
    nested: ClassVar[NestedRows]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        cls.nested = NestedRows(cls.verbs, cls.within)
        if cls.parent is not None:
            changes = ("create", "update", "destroy") if cls.parent_key else ("create", "update")
            cls.resources = dict.fromkeys(changes, cls.parent)
        super().__init_subclass__(**kwargs)

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        return ("fields",) if action == "destroy" and cls.parent_key else super().offered(action)

    def inside(self, query: ListQuery) -> ListQuery:
        """Responses that contain the parent are not filtered by it."""
        return query if self.action in self.resources else super().inside(query)

    def create(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the parent
        """Create a {noun} of {parent}."""
        row = self.nested.create(id, actor=self.actor, **self.body())
        return self.written(id if self.parent else row.pk)

    def update(self, request: Request, id: str, **key: str) -> JSONObject:
        """Change a {noun} of {parent}. Omitted fields are not changed, and metadata is merged."""
        row_id = self._named(key)
        self.verbs.update(actor=self.actor, id=row_id, version=self._version(), **self.body())
        return self.written(id if self.parent else row_id)

    def destroy(self, request: Request, id: str, **key: str) -> JSONObject:
        """Delete a {noun} of {parent}."""
        row_id = self._named(key)
        self.verbs.delete(actor=self.actor, ids=[row_id], version=self._version())
        shown = {self.parent_key: self.written(id)[self.parent.name]} if self.parent and self.parent_key else {}
        return {**self.deleted(row_id), **shown}

    def batch(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # as above
        """Create, change and delete up to 500 {nouns} of {parent}: all of them, or none.

        Requires the permission to change them, and those to add and delete them if the batch does so.
        """
        return super().batch(request)

    def body(self) -> dict[str, Any]:
        """Adds the parent to the new rows of a batch. Raises InvalidData for stored rows of another parent."""
        body = super().body()
        return self.nested.batch(self.kwargs["id"], **body) if self.action == "batch" else body

    def _named(self, key: dict[str, str]) -> str:
        """The id of the row in the path, under any name. Raises NotFound for a row of another parent."""
        (row_id,) = key.values()
        self.nested.require(self.kwargs["id"], [row_id])
        return row_id
