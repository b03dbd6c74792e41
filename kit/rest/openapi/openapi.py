"""The OpenAPI document, read off the endpoints' own declarations: what a route says of itself is what it does."""

import inspect
import re
from functools import cache
from threading import Lock
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance
from drf_spectacular.types import OpenApiTypes
from rest_framework.serializers import Serializer

from kit.reads.declarations.computed import Computed
from kit.reads.declarations.fields import Relation, ResourceSerializer
from kit.rest import reads
from kit.rest.endpoint import Endpoint
from kit.rest.openapi import openapi_parameters as parameters
from kit.rest.openapi.dry_run_inputs import DryRunInput, with_dry_run
from kit.rest.reads import List, ReadEndpoint
from kit.rest.requests.multipart import MEDIA_TYPE
from kit.rest.responses.renderers import to_json
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.storage_limits import StorageLimits
from kit.rest.viewsets import AdminEndpoint, AuthEndpoint, StoreEndpoint
from kit.values.text import with_article

_ERRORS = {
    400: "The request is malformed or refused: `invalid_data` or `not_allowed`.",
    403: "The caller lacks the permission, or the Origin may not call this route with a cookie: `not_allowed`.",
    404: "No such row is visible to the caller: `not_found`.",
    408: "The body came too slowly: `unavailable`.",
    409: "Another request holds what this one needs; retry with the Idempotency-Key.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "A unique value is taken, or an Idempotency-Key was used for another request: `duplicate_error`.",
    429: "Too many attempts; Retry-After says when to come again.",
    500: "An internal failure: `database_error`.",
    503: "The server is busy, or the database or a provider does not answer: `unavailable`.",
}
_OF_EVERY_ROUTE = (400, 404, 409, 422, 500, 503)
"""All but 401: the interface lists the same kinds of bodies for all of its routes."""
_OF_BODIES = (403, 408, 413, 415)
_TAGS = {"api-keys": "API keys", "auth": "Authentication", "graphql": "GraphQL", "hooks": "Webhooks"}


class RouteSchema(AutoSchema):
    """Describes one operation of an Endpoint."""

    view: Endpoint  # type: ignore[override]

    def is_excluded(self) -> bool:
        return not isinstance(self.view, Endpoint)

    def get_operation_id(self) -> str:
        words = [part.replace("-", "_") for part in self.path.split("/") if part and not part.startswith("{")]
        above = getattr(self.view, "within", "") if self.view.action == "list" else ""
        return "_".join([self.view.action, *words, *(["of", above.removesuffix("_id")] if above else ())])

    def get_tags(self) -> list[str]:
        """One tag: the resource of the path."""
        area, *segments = [part for part in self.path.split("/") if part]
        names = [part for part in segments if not part.startswith("{")]
        if area in ("store", "admin"):
            area = "addresses" if "addresses" in names else names[0]
        return [_TAGS.get(area, area.replace("-", " ").capitalize())]

    def get_summary(self) -> str:
        if not self._is_plain_read():
            return self.get_description().split(".")[0]
        resource = self.view.answered(self.view.action)  # type: ignore[attr-defined]
        is_list, above = self.view.action == "list", self._parent()
        what = f"List {_words(resource.plural)}" if is_list else f"Get {with_article(_words(resource.name))}"
        reader = " for staff" if isinstance(self.view, AdminEndpoint) else ""
        return f"{what}{above and f' of {above}'}{reader}"

    def _parent(self) -> str:
        """What the rows of a nested route belong to: `a product`."""
        above = _words(self.view.within.removesuffix("_id"))  # type: ignore[attr-defined]
        return above and with_article(above)

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        """The view's docstring, if all resources share its handler; else the handler's."""
        if self._is_plain_read():
            return inspect.getdoc(type(self.view)) or ""
        description = str(super().get_description())
        if isinstance(self.view, RowEndpoint):
            verbs = self.view.verbs
            words = {"noun": verbs.noun, "nouns": verbs.nouns, "parent": self._parent()}
        elif noun := getattr(self.view, "noun", ""):
            words = {"noun": noun}
        else:
            return description
        return description.replace("a {noun}", with_article(words["noun"])).format(**words)

    def _is_plain_read(self) -> bool:
        return bool(getattr(self.view, self.view.action).__module__ == reads.__name__)

    def get_auth(self) -> list[dict[str, list[str]]]:
        if isinstance(self.view, AdminEndpoint):
            return [{"bearer": []}, {"basic": []}, {"session": []}]
        if self.path == "/graphql":
            return [{"publishable_key": []}, {"bearer": []}, {"basic": []}, {"session": []}]
        person: list[dict[str, list[str]]] = [{"bearer": []}, {"session": []}] if self.view.demands else [{}]
        if isinstance(self.view, StoreEndpoint):
            return [{"publishable_key": [], **credential} for credential in person]
        return person

    def _get_parameters(self) -> list[dict[str, Any]]:
        described = [parameters.path(name) for name in parameters.in_path(self.path)]
        if isinstance(self.view, StoreEndpoint):
            described.append(parameters.LOCALE)
        if self.view.action == "list" and isinstance(self.view, List):
            described += parameters.of_list(self.view)
        elif isinstance(self.view, ReadEndpoint):
            described += parameters.of_one(self.view, self.view.offered(self.view.action))
        described += parameters.of_action(self.view.query_parameters.get(self.view.action, {}))
        if self.method == "POST" and self.view.accepts_idempotency_key:
            described.append(parameters.IDEMPOTENCY_KEY)
        return described

    def map_parsers(self) -> list[Any]:
        if self._takes_any_type():
            return ["application/octet-stream"]  # any other, too; generators do not know `*/*`
        return [MEDIA_TYPE] if self.view.action in self.view.takes_files else list(super().map_parsers())

    def _takes_any_type(self) -> bool:
        view = self.view
        return view.action in view.takes_bytes or (self.method == "PUT" and view.action in view.takes_files)

    def get_request_serializer(  # type: ignore[override]  # drf-spectacular documents OpenApiTypes, too
        self,
    ) -> type[Serializer[Any]] | OpenApiTypes | None:
        if self._takes_any_type():
            return OpenApiTypes.BINARY
        if self.view.action in self.view.takes_files:
            return self.view.files_form
        own = self.view.inputs.get(self.view.action)
        if not self._takes_dry_run():
            return own
        return with_dry_run(own, is_row=isinstance(self.view, RowEndpoint) and self.view.action in ("create", "update"))

    def _takes_dry_run(self) -> bool:
        return self.method != "GET" and isinstance(self.view, AdminEndpoint) and self.view.action in self.view.dry_runs

    def _get_request_body(self, direction: str = "request") -> Any:
        """drf-spectacular describes none of a DELETE."""
        if self.method == "DELETE" and self._takes_dry_run():
            body = self.resolve_serializer(force_instance(DryRunInput), "request")
            return {"content": {"application/json": {"schema": body.ref}}}
        return super()._get_request_body(direction)  # type: ignore[no-untyped-call]

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        bodies = self._successes()
        for status in self._refusals():
            bodies[str(status)] = self._json(self._refusal(status), _ERRORS[status])
        if "404" not in bodies:
            return bodies
        if isinstance(self.view, AuthEndpoint) and not self.view.demands:
            bodies["401"] = self._json({"$ref": "#/components/schemas/Error"}, "The login failed: `unauthorized`.")
        else:
            bodies["401"] = {
                "description": "No acceptable credential.",
                "content": {"text/plain": {"schema": {"type": "string", "enum": ["Unauthorized"]}}},
            }
        return dict(sorted(bodies.items()))

    def _successes(self) -> dict[str, Any]:
        if types := self.view.files.get(self.view.action):
            binary = {"schema": {"type": "string", "format": "binary"}}
            return {"200": {"description": "The file.", "content": dict.fromkeys(types, binary)}}
        text = self.view.acknowledgements.get(self.view.action)
        if text is None:
            status = self.view.statuses.get(self.view.action, 200)
            return {str(int(status)): self._json(self._success(), "The answer.")}
        plain = {"text/plain": {"schema": {"type": "string", "enum": [text]}}}
        return {"201": {"description": "It will be done.", "content": plain}}

    def _refusals(self) -> set[int]:
        if not self.view.accepts and self.method == "GET":  # asks for no caller, no row and no change
            return {500, 503}
        statuses = {*_OF_EVERY_ROUTE}
        if self.method != "GET":
            statuses |= {*_OF_BODIES} - ({415} if self._takes_any_type() else set())
        if self.view.permissions or self.view.permission_classes:
            statuses.add(403)
        is_counted = self.method == "POST" and isinstance(self.view, StorageLimits)
        if is_counted or self.view.is_throttled or self.view.throttle_classes:
            statuses.add(429)
        return statuses

    def _refusal(self, status: int) -> dict[str, Any]:
        usual = {"$ref": "#/components/schemas/Error"}
        other = self.view.refusals.get(status)
        return {"anyOf": [usual, self._reference(other)]} if other else usual

    def _success(self) -> dict[str, Any]:
        answer = self.view.answers.get(self.view.action)
        if answer is not None:
            return self._reference(answer)
        if not isinstance(self.view, ReadEndpoint):
            raise TypeError(f"{self.path} declares no answer for {self.view.action}")
        resource = self.view.answered(self.view.action)
        one = self._reference(resource.serializer_class)
        if self.view.action == "list":
            return _envelope(resource.plural, one)
        return _object({resource.name: one})

    def _reference(self, serializer_class: type[Serializer[Any]]) -> dict[str, Any]:
        reference: dict[str, Any] = self.resolve_serializer(force_instance(serializer_class), "response").ref
        return reference

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if isinstance(serializer, ResourceSerializer):
            schema.pop("required", None)  # `fields` may leave out any of them
        elif direction == "request":
            schema["additionalProperties"] = False
        return schema

    @staticmethod
    def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
        return {"description": description, "content": {"application/json": {"schema": schema}}}


def _words(name: str) -> str:
    """`api_keys` as `API keys`."""
    return re.sub(r"\bapi\b", "API", name.replace("_", " "))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _envelope(resources: str, one: dict[str, Any]) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 0}
    numbers = dict.fromkeys(("count", "estimate_count", "offset", "limit"), number)
    return _object({resources: {"type": "array", "items": one}, **numbers})


class RelationExtension(OpenApiSerializerFieldExtension):
    """A relation is a reference to its resource, or a list of these."""

    target_class = Relation
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        to = auto_schema.resolve_serializer(force_instance(self.target.to()), direction).ref
        if self.target.many:
            return {"type": "array", "items": to}
        return {"allOf": [to], "nullable": True} if self.target.allow_null else to


class ComputedExtension(OpenApiSerializerFieldExtension):
    """A computed field is described by the field it is shown as."""

    target_class = Computed
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        described: dict[str, Any] = auto_schema._map_serializer_field(self.target.output_field, direction)  # noqa: SLF001 - as its documentation says
        return described


_generating = Lock()


def document() -> bytes:
    """The whole document as JSON; it cannot change while the process lives."""
    with _generating:  # drf-spectacular loads its extensions once, and fails in threads that meet them half loaded
        return _document()


@cache
def _document() -> bytes:
    return to_json(SchemaGenerator().get_schema(request=None, public=True))
