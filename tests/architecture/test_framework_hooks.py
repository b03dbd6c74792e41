"""What DRF, django-filter and graphene let a developer write on our classes: one line a hook, honoured or refused."""

from collections.abc import Callable
from typing import Any, cast

import django_filters
import orjson
import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.urls import path
from rest_framework import permissions, serializers, throttling, viewsets
from rest_framework.authentication import TokenAuthentication
from rest_framework.decorators import action
from rest_framework.request import Request

from catalog.models import ProductCategory
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from kit.graphql.fields.reads import SingleField
from kit.graphql.types.inputs import validated
from kit.reads.declarations.fields import ResourceSerializer
from kit.reads.filters import filtering, filters
from kit.reads.filters.filtering import ResourceFilterSet
from kit.reads.resources import Resource
from kit.rest import view_hooks
from kit.rest.authentication import ActorAuthentication
from kit.rest.endpoint import Endpoint
from kit.rest.openapi.openapi import RouteSchema
from kit.rest.reads import List
from kit.rest.requests import input_fields
from kit.rest.requests.inputs import Input
from tests.contract.callers import Caller, refusal
from tests.factories.catalog import CategoryFactory

pytestmark = pytest.mark.urls(__name__)


def method(self: Any, *args: Any, **kwargs: Any) -> Any:
    raise AssertionError("nobody calls it")


class OfOwners(permissions.BasePermission):
    def has_object_permission(self, request: Request, view: Any, obj: Any) -> bool:
        return False


REFUSED: list[tuple[type, str, object, str]] = [
    # the class, the hook, what is written, and how the refusal goes on
    (Endpoint, "queryset", ProductCategory.objects, "queryset; the endpoint's `resource`"),
    (Endpoint, "get_queryset", method, "get_queryset; the endpoint's `resource`"),
    (Endpoint, "get_object", method, "get_object; the endpoint's `resource`"),
    (Endpoint, "filter_queryset", method, "filter_queryset; the endpoint's `resource`"),
    (Endpoint, "filter_backends", [], "filter_backends; declare filters in the `filterset_class`"),
    (Endpoint, "filterset_class", ResourceFilterSet, "filterset_class; declare filters in the"),
    (Endpoint, "filterset_fields", ["name"], "filterset_fields; declare filters in the"),
    (Endpoint, "search_fields", ["name"], "search_fields; declare filters in the"),
    (Endpoint, "ordering", ["name"], "ordering; `order` takes every scalar"),
    (Endpoint, "ordering_fields", ["name"], "ordering_fields; `order` takes every scalar"),
    (Endpoint, "pagination_class", object, "pagination_class; lists take `limit` and `offset`"),
    (Endpoint, "paginate_queryset", method, "paginate_queryset; lists take `limit`"),
    (Endpoint, "get_paginated_response", method, "get_paginated_response; lists take `limit`"),
    (Endpoint, "renderer_classes", [], "renderer_classes; every answer is JSON"),
    (Endpoint, "content_negotiation_class", object, "content_negotiation_class; every answer is"),
    (Endpoint, "finalize_response", method, "finalize_response; every answer is JSON"),
    (Endpoint, "parser_classes", [], "parser_classes; every body is a JSON object"),
    (Endpoint, "serializer_class", serializers.Serializer, "serializer_class; declare `inputs`"),
    (Endpoint, "get_serializer_class", method, "get_serializer_class; declare `inputs`"),
    (Endpoint, "get_serializer", method, "get_serializer; declare `inputs` and `answers`"),
    (Endpoint, "get_serializer_context", method, "get_serializer_context; declare `inputs`"),
    (Endpoint, "perform_create", method, "perform_create; call a verb in the handler"),
    (Endpoint, "perform_update", method, "perform_update; call a verb in the handler"),
    (Endpoint, "perform_destroy", method, "perform_destroy; call a verb in the handler"),
    (Endpoint, "lookup_field", "handle", "lookup_field; the path's variable is passed"),
    (Endpoint, "lookup_url_kwarg", "handle", "lookup_url_kwarg; the path's variable is passed"),
    (Endpoint, "versioning_class", object, "versioning_class; the interface has one version"),
    (Endpoint, "metadata_class", object, "metadata_class; OPTIONS is answered 204"),
    (Endpoint, "options", method, "options; OPTIONS is answered 204"),
    (Endpoint, "http_method_names", ["get"], "http_method_names; the route names the action"),
    (Endpoint, "sort", action(detail=False)(method), "@action on sort; the route names the action"),
    (Endpoint, "get_authenticators", method, "get_authenticators; declare `authentication_classes`"),
    (Endpoint, "authentication_classes", [TokenAuthentication], "TokenAuthentication; derive it"),
    (Endpoint, "permission_classes", [OfOwners], "has_object_permission of OfOwners; no object"),
    (Endpoint, "permission_classes", [permissions.IsAuthenticated & ~OfOwners], "has_object_permission of OfOwners"),
    (Endpoint, "permission_classes", [permissions.DjangoModelPermissions], "DjangoModelPermissions"),
    (Endpoint, "check_object_permissions", method, "check_object_permissions; no object is loaded"),
    (Endpoint, "inputs", {"craete": Input}, "`inputs` of 'craete'; it names no method"),
    (Endpoint, "permissions", {"lst": "a.b"}, "`permissions` of 'lst'; it names no method"),
    (ResourceFilterSet, "Meta", type("Meta", (), {"fields": ["name"]}), "Meta; declare each filter"),
    (ResourceFilterSet, "name", django_filters.CharFilter(), "name = CharFilter; use kit"),
    (ResourceFilterSet, "filter_queryset", method, "filter_queryset; parse makes the condition"),
    (ResourceFilterSet, "qs", property(method), "qs; parse makes the condition"),
    (ResourceFilterSet, "is_valid", method, "is_valid; parse makes the condition"),
    (ResourceFilterSet, "get_form_class", method, "get_form_class; parse makes the condition"),
    (filters.TextFilter, "filter", method, "filter; override condition"),
    (filters.TextFilter, "method", "by_name", "method; override condition"),
    (filters.TextFilter, "field_class", object, "field_class; override condition"),
    (Input, "name", serializers.CharField(), "name = CharField; use kit.rest.requests.input_fields"),
    (Input, "name", serializers.SerializerMethodField(), "name = SerializerMethodField; use"),
    (Input, "name", serializers.HiddenField(default="a"), "name = HiddenField; use kit"),
    (Input, "name", input_fields.CharField(source="title"), "`source` of name; name the field as"),
    (Input, "name", input_fields.CharField(default="a"), "`default` of name; give the verb's"),
    (Input, "name", input_fields.CharField(read_only=True), "`read_only` of name; declare only"),
    (Input, "validate_nmae", method, "validate_nmae; it names no field"),
    (Input, "create", method, "create; call a verb with body()"),
    (Input, "update", method, "update; call a verb with body()"),
    (Input, "save", method, "save; call a verb with body()"),
    (Input, "to_representation", method, "to_representation; answers are shown by a"),
    (ResourceSerializer, "name", serializers.SerializerMethodField(), "name = SerializerMethodField"),
    (ResourceSerializer, "name", serializers.ReadOnlyField(), "name = ReadOnlyField; declare the"),
    (ResourceSerializer, "name", serializers.HiddenField(default="a"), "name = HiddenField; bodies"),
    (ResourceSerializer, "name", serializers.StringRelatedField[Any](), "name = StringRelatedField"),
    (ResourceSerializer, "name", serializers.StringRelatedField(many=True), "name = ManyRelatedField"),
    (ResourceSerializer, "name", serializers.Serializer[Any](), "name = Serializer; declare a ToOne"),
    (ResourceSerializer, "name", serializers.Serializer[Any](many=True), "name = ListSerializer"),
    (ResourceSerializer, "name", type("Loud", (serializers.CharField,), {"to_representation": method})(),
     "to_representation of name; declare a SqlField"),
    (ResourceSerializer, "name", serializers.CharField(source="parent.name"), "source='parent.name' of name"),
    (ResourceSerializer, "name", serializers.CharField(source="*"), "source='*' of name; name a"),
    (ResourceSerializer, "name", serializers.CharField(default="a"), "`default` of name; declare"),
    (ResourceSerializer, "name", serializers.CharField(write_only=True), "`write_only` of name"),
    (ResourceSerializer, "made_at", serializers.DateTimeField(format="%Y"), "`format` of made_at"),
    (ResourceSerializer, "to_representation", method, "to_representation; declare a SqlField"),
    (ResourceSerializer, "to_internal_value", method, "to_internal_value; bodies are validated"),
    (ResourceSerializer, "validate", method, "validate; bodies are validated by an Input"),
    (ResourceSerializer, "validate_name", method, "validate_name; bodies are validated by an Input"),
    (ResourceSerializer, "create", method, "create; bodies are validated by an Input"),
    (ResourceSerializer, "get_fields", method, "get_fields; declare the fields on the class"),
    (ResourceSerializer, "Meta", type("Meta", (), {"fields": "__all__"}), "fields; name the fields"),
    (ResourceSerializer, "Meta", type("Meta", (), {"exclude": ["a"]}), "exclude; name the fields"),
    (ResourceSerializer, "Meta", type("Meta", (), {"depth": 1}), "depth; name the fields"),
    (SingleField, "resolve", method, "resolve; override answer"),
    (SingleField, "mutate", method, "mutate; override answer"),
    (SingleField, "Arguments", type("Arguments", (), {}), "Arguments; override arguments"),
    (SingleField, "Meta", type("Meta", (), {}), "Meta; override type"),
    (SingleField, "Output", object, "Output; override type"),
    (SingleField, "deprecation_reason", "a", "deprecation_reason; write it in `description`"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "hook", "written", "text"), REFUSED)
def test_a_hook_without_an_effect_is_refused_when_the_class_is_made(
    base: type, hook: str, written: object, text: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        type(base)("Shelf", (base,), {"__module__": __name__, hook: written})
    assert text in str(refused.value).replace(" would have no effect", "")
    assert str(refused.value).startswith(("Shelf: ", "Meta: "))


def test_a_mixin_does_not_smuggle_a_hook_in() -> None:
    mixin = type("WithRows", (), {"get_queryset": method})
    with pytest.raises(ImproperlyConfigured, match="Shelf: get_queryset would have no effect"):
        type("Shelf", (mixin, List), {})


OPTIONS: list[tuple[Callable[[], object], str]] = [
    (lambda: filters.TextFilter(method="by_name"), "TextFilter: `method`; override condition"),
    (lambda: filters.TextFilter(distinct=True), "TextFilter: `distinct`; related rows are"),
    (lambda: filters.TextFilter(required=True), "TextFilter: `required`; use OneTextFilter"),
    (lambda: filters.TextFilter(label="Name"), "TextFilter: `label`; override condition"),
    (lambda: filters.TextFilter(lookup_expr="regex"), "TextFilter: lookup_expr='regex'; use one of: "),
    (lambda: filters.DateFilter(lookup_expr="year"), "DateFilter: lookup_expr='year'; use one of: "),
    (lambda: filters.SearchFilter(columns=("a",), lookup_expr="contains"), "SearchFilter: lookup_expr='contains'"),
    (lambda: filters.ObjectFilter(members={}, lookup_expr="contains"), "ObjectFilter: lookup_expr='contains'"),
    (lambda: input_fields.CharField(error_messages={"required": "a"}), "CharField: `error_messages`"),
    (lambda: Open.as_view({"get": "list"}, queryset=None), "Open: as_view(queryset=…); declare it"),
    (lambda: Open.as_view({"get": "list"}, permission_classes=[]), "Open: as_view(permission_classes=…)"),
    (lambda: Open.as_view({"get": "list"}, throttle_classes=[]), "Open: as_view(throttle_classes=…)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), OPTIONS)
def test_an_option_without_an_effect_is_refused_when_it_is_given(make: Callable[[], object], text: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        make()
    assert str(refused.value).replace(" would have no effect", "").startswith(text)


OURS = {
    "allowed_methods", "as_view", "dispatch", "handle_exception", "initial", "permission_denied", "throttled",
}  # fmt: skip
HONOURED = {
    "authentication_classes", "check_permissions", "check_throttles", "get_parser_context", "get_permissions",
    "get_throttles", "initialize_request", "permission_classes", "schema", "setup", "throttle_classes",
}  # fmt: skip
OF_THE_ROUTER = {"get_extra_action_url_map", "get_extra_actions", "reverse_action", "settings", "view_is_async"}


def test_every_hook_of_the_frameworks_is_known() -> None:
    """A new version's further hooks fail here until they are honoured or refused."""
    views = {name for name in dir(viewsets.GenericViewSet) if not name.startswith("_")}
    assert views == (views & set(view_hooks.REFUSED)) | OURS | HONOURED | OF_THE_ROUTER
    sets = {name for name in dir(django_filters.FilterSet) if not name.startswith("_")}
    assert sets - set(filtering._HOOKS) == {"base_filters", "declared_filters"}
    kinds = {name for name in dir(django_filters.Filter) if not name.startswith("_")}
    assert kinds - set(filters._HOOKS) == {"creation_counter", "label"}


# --- What is honoured ---


class Robots(ActorAuthentication):
    header = "HTTP_X_ROBOT"

    def authenticate(self, request: Request) -> tuple[Actor, object] | None:
        robot = request.META.get("HTTP_X_ROBOT")
        return (Actor(type="customer", id=robot), None) if robot else None


class OnlyWallE(permissions.BasePermission):
    message = "Only WALL-E may"

    def has_permission(self, request: Request, view: Any) -> bool:
        return bool(cast(Actor, request.user).id == "wall-e")


class Twice(throttling.UserRateThrottle):
    rate = "2/hour"

    def get_rate(self) -> str:
        return self.rate


class Open(Endpoint):
    accepts = frozenset({"customer"})
    authentication_classes = (Robots,)

    def list(self, request: Request) -> dict[str, Any]:
        return {"robot": self.actor.id}


class Guarded(Open):
    permission_classes = (OnlyWallE,)


class SignedIn(Open):
    permission_classes = (permissions.IsAuthenticated & ~permissions.IsAdminUser,)


class Slow(Open):
    throttle_classes = (Twice,)


class Choosy(Open):
    def get_permissions(self) -> Any:
        return [OnlyWallE()]


class ShelfInput(Input):
    name = input_fields.CharField()
    size = input_fields.IntegerField(required=False, validators=[lambda size: None])

    def validate_name(self, name: str) -> str:
        if name == "none":
            raise serializers.ValidationError("Value for field 'name' must not be 'none'")
        return name.upper()

    def validate(self, attrs: Any) -> Any:
        if attrs.get("size") == 7:
            raise serializers.ValidationError("Value for field 'size' must not be 7")
        return attrs

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value({"name": data["title"]} if "title" in data else data)


class Making(Endpoint):
    inputs = {"create": ShelfInput}

    def create(self, request: Request) -> dict[str, Any]:
        return self.body()


urlpatterns = [
    *(
        path(f"store/{view.__name__.lower()}", view.as_view({"get": "list"}))
        for view in (Open, Guarded, SignedIn, Slow, Choosy)
    ),
    path("store/making", Making.as_view({"post": "create"})),
]
NOBODY = Caller()


def asked(view: str, robot: str | None = None) -> HttpResponse:
    return NOBODY.get(f"/store/{view}", x_robot=cast(str, robot))


def test_an_authentication_class_reads_the_header_that_it_names() -> None:
    assert (asked("open", "eve").json(), asked("open").json()) == ({"robot": "eve"}, {"robot": None})


@pytest.mark.parametrize("view", ["guarded", "choosy"])
def test_permission_classes_are_asked(view: str) -> None:
    assert asked(view, "wall-e").json() == {"robot": "wall-e"}
    assert refusal(asked(view, "eve")) == (403, "Only WALL-E may")
    assert (asked(view).status_code, asked(view).content) == (401, b"Unauthorized")


def test_permission_classes_are_joined_by_their_operators() -> None:
    assert asked("signedin", "eve").status_code == 200
    assert asked("signedin").status_code == 401


def test_throttle_classes_count_each_caller() -> None:
    cache.clear()
    assert [asked("slow", "eve").status_code for _ in range(3)] == [200, 200, 429]
    response = asked("slow", "eve")
    assert refusal(response) == (429, "Too many attempts, try again later")
    assert 3590 <= int(response["Retry-After"]) <= 3600
    assert asked("slow", "wall-e").status_code == 200
    forwarded = [NOBODY.get("/store/slow", x_forwarded_for=f"192.0.2.{number}").status_code for number in range(3)]
    assert forwarded == [200, 200, 429]  # nobody's own address, whatever they say it is
    cache.clear()


@pytest.mark.parametrize(("view", "status"), [(Guarded, 403), (Slow, 429)])
def test_both_stand_in_the_openapi_document(view: type[Endpoint], status: int) -> None:
    schema = RouteSchema()
    schema.view, schema.method = view(action_map={"get": "list"}), "GET"
    assert status in schema._refusals()
    schema.view = Open()
    assert status not in schema._refusals()


MADE: list[tuple[dict[str, Any], int, Any]] = [
    ({"name": "oak"}, 200, {"name": "OAK"}),
    ({"title": "oak"}, 200, {"name": "OAK"}),
    ({"name": "none"}, 400, "Invalid request: Value for field 'name' must not be 'none'"),
    ({"name": "oak", "size": 7}, 400, "Invalid request: Value for field 'size' must not be 7"),
    ({"name": "none", "size": "7"}, 400, ("Invalid request: Value for field 'name' must not be 'none'; "
     "Expected type: 'number' for field 'size', got: '7'")),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status", "answer"), MADE)
def test_an_input_validates_as_drf_has_it(body: dict[str, Any], status: int, answer: Any) -> None:
    response = NOBODY.post("/store/making", body)
    assert response.status_code == status
    assert (response.json() if status == 200 else response.json()["message"]) == answer
    if status == 200:
        assert validated(ShelfInput, {"input": body}) == answer  # GraphQL's way to the same class
    else:
        with pytest.raises(serializers.ValidationError):
            validated(ShelfInput, {"input": body})


class ShelfSerializer(ResourceSerializer):
    title = serializers.CharField(source="name")

    class Meta:
        model = ProductCategory


class ShelfFilters(ResourceFilterSet):
    named = filters.TextFilter(field_name="name", lookup_expr="icontains")
    not_named = filters.TextFilter(field_name="name", exclude=True)
    beginning = filters.TextFilter(field_name="name", lookup_expr="startswith", exclude=True)
    is_root = filters.FlagFilter(field_name="parent_category", lookup_expr="isnull")
    not_below = filters.TextFilter(field_name="id", through="parent_category", exclude=True)
    without = filters.SearchFilter(columns=("name", "description", "handle"), exclude=True)
    parent = filters.ObjectFilter(
        members={"not_named": filters.TextFilter(field_name="name", exclude=True)}, through="parent_category"
    )


SHELVES = Resource(
    name="shelf", plural="shelves", serializer_class=ShelfSerializer, filterset_class=ShelfFilters, default_limit=9
)
FOUND: list[tuple[dict[str, Any], list[str]]] = [
    ({"named": "OO"}, ["Food", "Wood"]),
    ({"named": ["oo", "PLE"]}, ["Apples", "Food", "Wood"]),
    ({"not_named": "Food"}, ["Apples", "Wood"]),
    ({"not_named": ["Food", "Wood"]}, ["Apples"]),
    ({"beginning": "W"}, ["Apples", "Food"]),
    ({"beginning": ["W", "A"]}, ["Food"]),
    ({"is_root": "true"}, ["Food", "Wood"]),
    ({"is_root": "false"}, ["Apples"]),
    ({"not_below": "{Food}"}, ["Food", "Wood"]),
    ({"not_below": "{Wood}"}, ["Apples", "Food", "Wood"]),
    ({"without": "food"}, ["Apples", "Wood"]),
    ({"without": ""}, ["Apples", "Food", "Wood"]),
    ({"parent": {"not_named": "Food"}}, []),
    ({"parent": {"not_named": "Wood"}}, ["Apples"]),
    ({"$or": [{"not_named": ["Food", "Apples"]}, {"not_below": "{Food}", "without": "wood"}]}, ["Food", "Wood"]),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("actor", [ANONYMOUS, SYSTEM], ids=["shopper", "system"])
@pytest.mark.parametrize(("parameters", "titles"), FOUND)
def test_exclude_and_lookup_expr_choose_rows(parameters: dict[str, Any], titles: list[str], actor: Actor) -> None:
    food, wood = CategoryFactory(name="Food"), CategoryFactory(name="Wood")
    CategoryFactory(name="Apples", parent=food)
    named = orjson.dumps(parameters).decode().replace("{Food}", food.pk).replace("{Wood}", wood.pk)
    for _ in range(2):  # the second time by the statement that is kept
        page = SHELVES.page(SHELVES.list_query({**orjson.loads(named), "order": "title", "fields": "title"}), actor)
        assert ([row["title"] for row in page.answers], page.count) == (titles, len(titles))
