"""Every route of /admin names its permission, and takes an Idempotency-Key; so does every GraphQL field for staff."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Permission
from graphql import OperationType

from commerce.schema import SCHEMA
from kit.graphql.fields.mutations import Change
from kit.graphql.fields.reads import ReadField
from kit.rest.viewsets import AdminEndpoint
from tests.contract.callers import Caller
from tests.contract.routes import FILES, ROUTES, Route, good_request, of

pytestmark = pytest.mark.django_db


def permissions() -> set[str]:
    named = Permission.objects.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in named}


COUNTED = "/admin/users/<str:id>/reset-password"
"""Each request counts against the limit of emails, also one that repeats another."""
FOR_THE_INVITED = "/admin/invites/accept"
"""They have no account yet: tests/auth/signing_in/test_staff_registration.py."""


def acts() -> Iterator[tuple[Route, str, str]]:
    """Each route below /admin, a method of it, and the permission that it names."""
    for route in ROUTES:
        if route.path.startswith("/admin/") and route.path != FOR_THE_INVITED:
            assert issubclass(route.endpoint, AdminEndpoint), route
            for method, action in route.actions.items():
                if action not in route.endpoint.open_to_all_staff:
                    yield route, method, route.endpoint.permissions[action]


def test_all_staff_may_see_who_they_are_and_nothing_else_without_a_permission() -> None:
    opened = {
        f"{method} {route.path}"
        for route in ROUTES
        if issubclass(route.endpoint, AdminEndpoint)
        for method, action in route.actions.items()
        if action in route.endpoint.open_to_all_staff
    }
    assert opened == {"get /admin/users/me"}


def test_each_names_a_permission_that_exists() -> None:
    known = permissions()
    assert {(str(route), needed) for route, _, needed in acts() if needed not in known} == set()


EXPORTS = {"/admin/products/export", "/admin/inventory-items/export"}
"""They write a file of what the caller may read."""


def test_reading_needs_the_permission_to_view_and_writing_another() -> None:
    wrong = [
        (str(route), method, needed)
        for route, method, needed in acts()
        if (method == "get" or route.path in EXPORTS) != needed.partition(".")[2].startswith("view_")
        and needed != "carts.manage_draft"
    ]
    assert wrong == []


UNLIKE_GRAPHQL = {
    *("/admin/uploads", "/admin/uploads/<str:id>", "/admin/uploads/presigned-urls", "/admin/orders/export"),
    *("/admin/products/import", "/admin/products/imports", "/admin/products/imports/<str:id>/confirm"),
    *("/admin/products/export", "/admin/inventory-items/export"),
    *("/admin/layouts/configurations", "/admin/layouts/<str:zone>/configuration", "/admin/search-indexes"),
    *("/admin/feature-flags", "/admin/plugins"),
    *("/admin/orders/<str:id>/payment-links", "/admin/invoices/<str:id>/pdf"),
    *("/admin/promotions/<str:id>/codes", "/admin/promotions/<str:id>/codes/batch"),
}
"""GraphQL takes and makes no files, and has nothing of what the official dashboard alone asks for. Its fields that make
payment links, or make and delete codes, name their permissions elsewhere (test_every_permission).
"""


WHOLE_EDITS = {
    *("editOrder", "previewOrderEdit", "orderEdits"),
    *("exchangeOrderItems", "previewOrderExchange", "claimOrderItems", "previewOrderClaim"),
}
STEPS_OF_EDITS = ("/admin/order-edits", "/admin/order-changes", "/admin/exchanges", "/admin/claims")
"""GraphQL edits an order at once and lists its edits, exchanges and claims; REST takes each step by itself."""


def test_graphql_names_the_same_permissions() -> None:
    """Who reads one way may read the other, and the fields for staff are those that name a permission."""
    roots = {**SCHEMA.roots[OperationType.QUERY], **SCHEMA.roots[OperationType.MUTATION]}
    alike = [root for name, root in roots.items() if name not in WHOLE_EDITS]
    for_staff = [root for root in alike if isinstance(root, ReadField | Change) and root.permission is not None]
    named = {(root.resource, root.permission) for root in for_staff}
    by_rest = {
        (route.endpoint.resource, needed)
        for route, method, needed in acts()
        if method != "delete"
        and route.path not in UNLIKE_GRAPHQL
        and not (method == "post" and route.path.startswith(STEPS_OF_EDITS))
    }
    assert named == by_rest


@pytest.mark.parametrize(
    ("route", "method"),
    [each for each in of(AdminEndpoint, writes=True, but={*FILES, COUNTED}) if each.values[1] == "POST"],
)
def test_a_repeated_key_gets_the_same_answer_and_does_nothing_again(route: Route, method: str, admin: Caller) -> None:
    good = good_request(route, method)
    first, second = (good.send(admin, Idempotency_Key="an-erp-s-own-name-of-it") for _ in range(2))
    assert (first.status_code, "Idempotent-Replayed" in first) == (200, False), first.content
    assert (second.status_code, second["Idempotent-Replayed"]) == (200, "true")
    assert second.content == first.content
