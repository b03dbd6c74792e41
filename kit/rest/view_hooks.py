"""DRF's hooks on an Endpoint: each one works, or is refused when the class is created."""

from collections.abc import Collection, Iterator
from inspect import getattr_static, getmembers_static

from rest_framework.permissions import BasePermission
from rest_framework.viewsets import ViewSet

from kit.reads.filters.framework_hooks import ignored, refuse_hooks
from kit.rest.authentication import ActorAuthentication

_ROWS = "the endpoint's `resource` reads its rows, and `visible_to` of the model's queryset decides who sees which"
_FILTERS = "declare filters in the `filterset_class` of the endpoint's `resource`"
_ORDER = "`order` takes every scalar of the resource; its `default_order` is the Resource's"
_PAGES = "lists take `limit` and `offset`; the Resource has the `default_limit`"
_SHAPES = "declare `inputs` and `answers` by action; a `resource` has its own serializer class"
_JSON = "every answer is JSON"
_BODIES = "every body is a JSON object, unless takes_files or takes_bytes names the action"
_KEYS = "the path's variable is passed to the handler under its name"
_VERSIONS = "the interface has one version"
_METHODS = "the route names the action of each method: as_view({'get': 'list'})"
_ERRORS = "override handle_exception"

REFUSED = {
    **dict.fromkeys(("queryset", "get_queryset", "get_object", "filter_queryset"), _ROWS),
    **dict.fromkeys(("filter_backends", "filterset_class", "filterset_fields", "search_fields"), _FILTERS),
    **dict.fromkeys(("ordering", "ordering_fields"), _ORDER),
    **dict.fromkeys(("pagination_class", "paginator", "paginate_queryset", "get_paginated_response"), _PAGES),
    **dict.fromkeys(("serializer_class", "get_serializer_class", "get_serializer", "get_serializer_context"), _SHAPES),
    **dict.fromkeys(("perform_create", "perform_update", "perform_destroy"), "call a verb in the handler"),
    **dict.fromkeys(("renderer_classes", "get_renderers", "get_renderer_context"), _JSON),
    **dict.fromkeys(("content_negotiation_class", "get_content_negotiator", "get_format_suffix"), _JSON),
    **dict.fromkeys(("perform_content_negotiation", "finalize_response", "default_response_headers"), _JSON),
    **dict.fromkeys(("parser_classes", "get_parsers"), _BODIES),
    **dict.fromkeys(("lookup_field", "lookup_url_kwarg", "lookup_value_regex"), _KEYS),
    **dict.fromkeys(("versioning_class", "determine_version"), _VERSIONS),
    **dict.fromkeys(("http_method_names", "http_method_not_allowed"), _METHODS),
    **dict.fromkeys(("options", "metadata_class"), "OPTIONS is answered 204 with the allowed methods"),
    **dict.fromkeys(("get_exception_handler", "get_exception_handler_context", "raise_uncaught_exception"), _ERRORS),
    **dict.fromkeys(("get_view_name", "get_view_description"), "the docstring describes the route"),
    "get_authenticate_header": "a 401 is plain text without a challenge",
    **dict.fromkeys(("get_authenticators", "perform_authentication"), "declare `authentication_classes`"),
    "check_object_permissions": "no object is loaded before the verb; the verb decides",
}
"""By name, what to write instead."""
_POLICIES = ("authentication_classes", "permission_classes", "throttle_classes")
_POLICY_METHODS = ("get_permissions", "get_throttles", "check_permissions", "check_throttles")
_BY_ACTION = (
    *("permissions", "inputs", "answers", "statuses", "acknowledgements", "resources", "query_parameters"),
    *("files", "dry_runs"),
)


def check_endpoint(endpoint: type[ViewSet], *, base: type[ViewSet]) -> None:
    """Raise ImproperlyConfigured if the endpoint defines a hook that nothing calls."""
    name = endpoint.__name__
    refuse_hooks(endpoint, REFUSED, base=base)
    for method, _ in getmembers_static(endpoint, lambda member: hasattr(member, "url_path")):
        raise ignored(name, f"@action on {method}", _METHODS)
    for authentication in endpoint.authentication_classes:
        if not issubclass(authentication, ActorAuthentication):
            raise ignored(name, authentication.__name__, "derive it from ActorAuthentication, and return an Actor")
    for permission in _classes(endpoint.permission_classes):
        if hasattr(permission, "perms_map"):
            raise ignored(name, permission.__name__, "declare the Django permission of each action in `permissions`")
        if permission.has_object_permission is not BasePermission.has_object_permission:
            raise ignored(name, f"has_object_permission of {permission.__name__}", REFUSED["check_object_permissions"])
    for declared in _BY_ACTION:
        for action in getattr(endpoint, declared, ()):
            if not hasattr(endpoint, action):
                raise ignored(name, f"`{declared}` of '{action}'", "it names no method of the class")


def has_policies(endpoint: type[ViewSet], *, base: type[ViewSet]) -> bool:
    """Whether the endpoint has permission or throttle classes, or methods of its own in their place."""
    return bool(endpoint.permission_classes or endpoint.throttle_classes) or any(
        getattr_static(endpoint, name) is not getattr_static(base, name) for name in _POLICY_METHODS
    )


def check_initkwargs(endpoint: type[ViewSet], names: Collection[str]) -> None:
    """Raise ImproperlyConfigured if as_view receives what only a class may declare."""
    for name in sorted({*REFUSED, *_POLICIES, *_BY_ACTION}.intersection(names)):
        raise ignored(endpoint.__name__, f"as_view({name}=…)", "declare it on the class")


def _classes(permissions: object) -> Iterator[type[BasePermission]]:
    """The classes themselves of those that DRF's operators join: `A & ~B`."""
    for permission in permissions if isinstance(permissions, list | tuple) else [permissions]:
        if isinstance(permission, type):
            yield permission
        else:
            yield from _classes(
                [getattr(permission, name) for name in ("op1_class", "op2_class") if hasattr(permission, name)]
            )
