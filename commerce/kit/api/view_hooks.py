"""What DRF lets a view define, and what becomes of it on an Endpoint: honoured, or refused when the class is made."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission

from commerce.kit.api.authentication import ActorAuthentication
from commerce.kit.core.framework_hooks import ignored, refuse_hooks

if TYPE_CHECKING:
    from commerce.kit.api.viewsets import Endpoint

_ROWS = "the endpoint's `resource` reads its rows, and `visible_to` of the model's queryset decides who sees which"
_FILTERS = "declare filters in the `filterset_class` of the endpoint's `resource`"
_ORDER = "`order` takes every scalar of the resource; its `default_order` is the Resource's"
_PAGES = "lists take `limit` and `offset`; the Resource has the `default_limit`"
_SHAPES = "declare `inputs` and `answers` by action; a `resource` has its own serializer class"
_JSON = "every answer is JSON, whatever the Accept header says"
_BODIES = "every body is a JSON object; override take_body for another"
_KEYS = "the path's variable is passed to the handler under its name"
_VERSIONS = "the interface has one version"
_METHODS = "the route names the action of each method: as_view({'get': 'list'})"
_ERRORS = "override handle_exception"

REFUSED = {
    **dict.fromkeys(("queryset", "get_queryset", "get_object", "filter_queryset"), _ROWS),
    **dict.fromkeys(("filter_backends", "filterset_class", "filterset_fields", "search_fields"), _FILTERS),
    **dict.fromkeys(("ordering", "ordering_fields"), _ORDER),
    **dict.fromkeys(("pagination_class", "paginator", "paginate_queryset", "get_paginated_response"), _PAGES),
    **dict.fromkeys(
        ("serializer_class", "get_serializer_class", "get_serializer", "get_serializer_context"), _SHAPES
    ),
    **dict.fromkeys(("perform_create", "perform_update", "perform_destroy"), "call a verb in the handler"),
    **dict.fromkeys(("renderer_classes", "get_renderers", "content_negotiation_class"), _JSON),
    **dict.fromkeys(("perform_content_negotiation", "finalize_response", "default_response_headers"), _JSON),
    **dict.fromkeys(("parser_classes", "get_parsers"), _BODIES),
    **dict.fromkeys(("lookup_field", "lookup_url_kwarg", "lookup_value_regex"), _KEYS),
    **dict.fromkeys(("versioning_class", "determine_version"), _VERSIONS),
    **dict.fromkeys(("http_method_names", "http_method_not_allowed"), _METHODS),
    **dict.fromkeys(("options", "metadata_class"), "OPTIONS is answered 204 with the allowed methods"),
    **dict.fromkeys(("get_exception_handler", "raise_uncaught_exception"), _ERRORS),
    **dict.fromkeys(("get_authenticators", "perform_authentication"), "declare `authentication_classes`"),
    "check_object_permissions": "no object is loaded before the verb; the verb decides",
}
"""By name, what to write instead."""
_BY_ACTION = ("permissions", "inputs", "answers", "acknowledgements")


def check_endpoint(endpoint: "type[Endpoint]", *, base: type) -> None:
    """Raise ImproperlyConfigured for what the endpoint defines and nothing would call."""
    name = endpoint.__name__
    refuse_hooks(endpoint, REFUSED, base=base)
    for extra in endpoint.get_extra_actions():
        raise ignored(name, f"@action on {extra.__name__}", _METHODS)
    for authentication in endpoint.authentication_classes:
        if not issubclass(authentication, ActorAuthentication):
            raise ignored(name, authentication.__name__, "derive it from ActorAuthentication, and return an Actor")
    for permission in _parts(endpoint.permission_classes):
        if hasattr(permission, "perms_map"):
            raise ignored(name, permission.__name__, "declare the Django permission of each action in `permissions`")
        if permission.has_object_permission is not BasePermission.has_object_permission:
            raise ignored(name, f"has_object_permission of {permission.__name__}", REFUSED["check_object_permissions"])
    for declared in _BY_ACTION:
        for action in getattr(endpoint, declared):
            if not hasattr(endpoint, action):
                raise ignored(name, f"`{declared}` of '{action}'", "it names no method of the class")


def _parts(permissions: object) -> Iterator[type[BasePermission]]:
    """The classes themselves of those that DRF's operators join: `A & ~B`."""
    for permission in permissions if isinstance(permissions, list | tuple) else [permissions]:
        if isinstance(permission, type):
            yield permission
        else:
            yield from _parts([getattr(permission, name) for name in ("op1_class", "op2_class") if hasattr(permission, name)])
