"""`dry_run: true` in the body of each write under /admin: the answer of the change, and no change, or a refusal."""

import re
from hashlib import sha256
from typing import Any

import orjson
import pytest
from django.apps import apps

from kit.rest.viewsets import AdminEndpoint
from tests.contract.callers import Caller, refusal
from tests.contract.routes import FILES, ROUTES, GoodRequest, Route, good_request, of
from tests.contract.routes.examples import Form

pytestmark = [pytest.mark.every(4), pytest.mark.django_db]

REFUSING = {
    *("POST /admin/api-keys", "POST /admin/api-keys/{}", "DELETE /admin/api-keys/{}"),
    *("POST /admin/api-keys/{}/revoke", "POST /admin/api-keys/{}/sales-channels"),
    *("POST /admin/fulfillments", "POST /admin/fulfillments/{}/cancel", "POST /admin/fulfillments/{}/shipment"),
    *("POST /admin/orders/{}/cancel", "POST /admin/orders/{}/refunds", "POST /admin/orders/{}/fulfillments"),
    "POST /admin/orders/{}/fulfillments/{}/cancel",
    "POST /admin/orders/{}/fulfillments/{}/mark-as-delivered",
    "POST /admin/orders/{}/fulfillments/{}/shipments",
    "POST /admin/draft-orders/{}/convert-to-order",
    *("POST /admin/payments/{}/capture", "POST /admin/payments/{}/refund"),
    *("POST /admin/payment-collections", "DELETE /admin/payment-collections/{}"),
    *("POST /admin/payment-collections/{}/mark-as-paid", "POST /admin/payment-collections/{}/payment-sessions"),
    *("POST /admin/orders/{}/payment-sessions/authorize", "POST /admin/orders/export"),
    *("POST /admin/products/import", "POST /admin/products/imports", "POST /admin/products/imports/{}/confirm"),
    *("POST /admin/products/export", "POST /admin/inventory-items/export"),
    *("POST /admin/invites", "DELETE /admin/invites/{}", "POST /admin/invites/{}/resend"),
    "POST /admin/users/{}/reset-password",
    *("POST /admin/uploads", "DELETE /admin/uploads/{}", "POST /admin/uploads/presigned-urls"),
}
"""Keys, and what calls providers or carriers, or writes files. A new route that is no row's is refused, too."""
MADE = re.compile(
    r'\b([a-z_]+)_[0-9A-HJKMNP-TV-Z]{26}\b|"\d{4}-\d\d-\d\dT[\d:.]+Z"|"(?P<secret>GIFT(?:-\w{4})+|http[^"]+/pay/[\w-]{43})"'
)
"""New ids and moments, which differ between requests, and gift card codes and payment links, which a dry run masks."""

MASKED = '"********"'


def named(route: Route, method: str) -> str:
    return f"{method} {re.sub(r'<str:[a-z_]+>', '{}', route.path)}"


def tables() -> dict[str, str]:
    """Number and digest of the rows of each table."""
    return {
        model._meta.db_table: f"{len(rows)} {sha256(repr(sorted(map(repr, rows))).encode()).hexdigest()}"
        for model in apps.get_models(include_auto_created=True)
        if (rows := list(model._base_manager.values_list()))
    }


def dry(good: GoodRequest) -> GoodRequest:
    if isinstance(good.body, Form):
        part = b'--BoUnDaRyStRiNg\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n'
        return GoodRequest(good.method, good.path, Form({**good.body, "body": part + good.body["body"]}))
    return GoodRequest(good.method, good.path, {**(good.body or {}), "dry_run": True})


def shape(content: bytes) -> Any:
    """The answer without what differs between two requests that do the same."""
    shown = MADE.sub(lambda made: made[1] or (MASKED if made["secret"] else '"…"'), content.decode())
    return orjson.loads(shown)


@pytest.mark.parametrize(("route", "method"), of(AdminEndpoint, writes=True))
def test_it_answers_as_the_change_and_changes_nothing(
    route: Route, method: str, admin: Caller, django_capture_on_commit_callbacks: Any
) -> None:
    good = good_request(route, method)
    admin.get("/admin/stores")  # notes the use of the key
    before = tables()
    with django_capture_on_commit_callbacks() as callbacks:
        tried = dry(good).send(admin)
    after = tables()
    changed = {table for table in before.keys() | after.keys() if before.get(table) != after.get(table)}
    assert (changed, callbacks) == (set(), [])
    if named(route, method) in REFUSING:
        assert refusal(tried) == (400, "Invalid request: Unrecognized fields: 'dry_run'")
        return
    done = good.send(admin)
    assert (tried.status_code, shape(tried.content)) == (done.status_code, shape(done.content))
    assert not {"ETag", "X-Commit-Position"} & set(tried.headers)


def test_each_route_that_refuses_it_is_meant_to() -> None:
    refusing = {
        named(route, method.upper())
        for route in ROUTES
        if issubclass(route.endpoint, AdminEndpoint)
        for method, action in route.actions.items()
        if method != "get" and action not in route.endpoint.dry_runs
    }
    assert refusing == REFUSING
    assert FILES & {path.partition(" ")[2] for path in REFUSING}
