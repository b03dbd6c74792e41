"""Which credentials open which routes, for every route there is."""

import re

import pytest
from django.contrib.auth.models import Group, Permission
from django.http import HttpResponse

from apikeys import revocation
from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from customers.customer_editing import VERBS
from kit.domain.actor import SYSTEM
from kit.rest.row_endpoint import RowEndpoint
from kit.rest.viewsets import AdminEndpoint, CustomerEndpoint, StoreEndpoint
from staff.models import User
from tests.conftest import MakeOnce
from tests.contract.callers import JSON, NOBODY, Caller, importer, refusal, reported, storefront
from tests.contract.routes import ROUTES, Route, good_request, of, send
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.customers import CustomerFactory, IdentityFactory, registration_token, token_of
from tests.factories.staff import UserFactory
from tests.savepoints import undone

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]

KEY_REQUIRED = (
    "Publishable API key required in the request header: x-publishable-api-key. "
    "You can manage your keys in settings in the dashboard."
)
KEY_INVALID = "A valid publishable key is required to proceed with the request"
TO_ALL_STAFF = {"/admin/users/me"}
TO_SUPERUSERS = "/admin/invites"
"""Whose routes also require that: tests/staff/test_invites.py."""
ALSO_NEEDED = {
    "POST /admin/orders/export": {"orders.view_order"},
    "POST /admin/products/import": {"catalog.add_product"},
    "POST /admin/products/imports": {"catalog.add_product"},
    "POST /admin/products/imports/<str:id>/confirm": {"catalog.add_product"},
    "POST /admin/campaigns/<str:id>/promotions": {"carts.change_promotion"},
    "POST /admin/draft-orders/<str:id>/convert-to-order": {"carts.manage_draft"},
}
"""What these need beside the permission that they name, since they show or change rows of another kind."""


def also_needed(route: Route, method: str) -> set[str]:
    """The same, also for all that goods come back by."""
    if method != "GET" and route.path.startswith(("/admin/exchanges", "/admin/claims")):
        return {"orders.add_return"}
    return ALSO_NEEDED.get(f"{method} {route.path}", set())


UNAUTHORIZED = (401, "text/plain", b"Unauthorized")


@pytest.mark.parametrize(("route", "method"), of(StoreEndpoint))
class TestPublishableKey:
    def test_without_one_nothing_opens(self, route: Route, method: str) -> None:
        good = good_request(route, method)
        for caller in (NOBODY, Caller(x_publishable_api_key="")):
            assert_refused(good.send(caller), KEY_REQUIRED, method)

    def test_a_bad_one_opens_nothing(self, route: Route, method: str) -> None:
        revoked = publishable_key()
        revocation.revoke(actor=SYSTEM, key_id=revoked.key.pk)
        secret = secret_key(UserFactory(is_superuser=True))
        good = good_request(route, method)
        for token in (revoked.token, secret.token, "pk_", "pk_" + "0" * 64, "x", "pk_é", publishable_key().key.pk):
            assert_refused(good.send(Caller(x_publishable_api_key=token)), KEY_INVALID, method)

    def test_it_goes_in_the_header_alone(self, route: Route, method: str) -> None:
        token, good = publishable_key().token, good_request(route, method)
        for options in ({"query": f"x-publishable-api-key={token}"}, {"Authorization": f"Bearer {token}"}):
            assert_refused(good.send(NOBODY, **options), KEY_REQUIRED, method)


@pytest.mark.parametrize(("route", "method"), of(StoreEndpoint, demands=False))
class TestPublishableKeyAlone:
    def test_a_good_one_opens(self, route: Route, method: str, store: Caller) -> None:
        response = send(store, route, method)
        assert response.status_code == success(route)
        assert response["Content-Type"].partition(";")[0] in route.endpoint.files.get(action(route, method), (JSON,))

    def test_credentials_that_do_not_count_here_change_nothing(self, route: Route, method: str, store: Caller) -> None:
        staff = secret_key(UserFactory(is_superuser=True)).token
        for header in (f"Bearer {staff}", f"Basic {staff}", "Bearer x.y.z", "Bearer", "Basic !", "Digest a", "é"):
            assert send(store, route, method, Authorization=header).status_code == success(route)
        assert send(store, route, method, Cookie="connect.sid=nobody").status_code == success(route)


def action(route: Route, method: str) -> str:
    return route.actions["get" if method == "HEAD" else method.lower()]


def success(route: Route) -> int:
    """202 where a request is taken whatever it asks for."""
    return 202 if route.path == "/store/orders/lookup" else 200


def assert_refused(response: HttpResponse, message: str, method: str) -> None:
    if method == "HEAD":
        assert (response.status_code, response.content) == (400, b"")
    else:
        assert refusal(response) == (400, message)
        assert response.json()["type"] == "not_allowed"


@pytest.mark.parametrize(("route", "method"), of(CustomerEndpoint))
class TestCustomersCredentials:
    def test_without_acceptable_ones_nothing_opens(self, route: Route, method: str, store: Caller) -> None:
        staff = secret_key(UserFactory(is_superuser=True)).token
        gone = CustomerFactory()
        token = token_of(gone)
        VERBS.delete(actor=SYSTEM, ids=[gone.pk])
        good = good_request(route, method)
        for header in (None, "", "Bearer", "Bearer x.y.z", f"Bearer {staff}", f"Basic {staff}", f"Bearer {token}"):
            response = good.send(store, Authorization=header)
            assert reported(response) == (401, "text/plain", b"" if method == "HEAD" else b"Unauthorized"), header
        assert good.send(store, Cookie="connect.sid=nobody").status_code == 401

    def test_a_registration_opens_what_it_is_for_alone(self, route: Route, method: str, store: Caller) -> None:
        token = registration_token(IdentityFactory())
        expected = 200 if route.endpoint.takes_registration else 401
        assert send(store, route, method, Authorization=f"Bearer {token}").status_code == expected

    def test_a_customer_opens_all_others(self, route: Route, method: str, signed_in: Caller) -> None:
        response = send(signed_in, route, method)
        expected = 400 if route.endpoint.takes_registration else 200
        assert (response.status_code, response["Cache-Control"]) == (expected, "no-store")


def test_each_role_opens_what_it_permits() -> None:
    """All in one test: to set up the roles takes longer than their requests."""
    set_up_roles()
    callers = {role: importer(secret_key(clerk(role))) for role in ROLES}
    for route, method in (case.values for case in of(AdminEndpoint, but=TO_ALL_STAFF)):
        needed = route.endpoint.permissions[route.actions[method.lower().replace("head", "get")]]
        with undone():
            good = good_request(route, method)
            refused = {role for role, caller in callers.items() if good.send(caller).status_code == 403}
        assert refused == {role for role, permitted in ROLES.items() if needed not in permitted}, (method, route.path)


def clerk(role: str) -> User:
    user = UserFactory()
    user.groups.add(Group.objects.get(name=role))
    return user


@pytest.fixture(scope="module")
def user_with_all_permissions(make_once: MakeOnce) -> User:
    """No superuser."""
    user: User = make_once(UserFactory)
    make_once(lambda: user.user_permissions.set(Permission.objects.all()))
    return user


@pytest.mark.parametrize(("route", "method"), of(AdminEndpoint))
class TestStaffCredentials:
    def test_without_acceptable_ones_nothing_opens(self, route: Route, method: str) -> None:
        publishable = publishable_key().token
        revoked, orphaned = secret_key(), secret_key(UserFactory(is_superuser=True, is_active=False))
        revocation.revoke(actor=SYSTEM, key_id=revoked.key.pk)
        good = good_request(route, method)
        for header in (
            None, "", "Bearer", "Bearer ", "Bearer x", "Basic x", f"Bearer {publishable}", f"Basic {publishable}",
            f"Bearer {revoked.token}", f"Bearer {orphaned.token}", f"Bearer sk_{'0' * 64}", "Bearer sk_é",
            "Negotiate x",
        ):  # fmt: skip
            response = good.send(NOBODY, Authorization=header)
            assert reported(response) == (401, "text/plain", b"" if method == "HEAD" else b"Unauthorized"), header
        for caller in (storefront(publishable_key()), Caller(Cookie="connect.sid=nobody")):
            assert good.send(caller).status_code == 401


@pytest.mark.parametrize(("route", "method"), of(AdminEndpoint, but=TO_ALL_STAFF))
class TestPermissions:
    def test_the_permission_of_the_action_decides(
        self, route: Route, method: str, user_with_all_permissions: User
    ) -> None:
        needed = route.endpoint.permissions[route.actions[method.lower().replace("head", "get")]]
        app, codename = needed.split(".")
        alone = UserFactory(permissions=[needed, *also_needed(route, method)])
        user_with_all_permissions.user_permissions.remove(
            Permission.objects.get(content_type__app_label=app, codename=codename)
        )
        refused = send(importer(secret_key(user_with_all_permissions)), route, method)
        assert refused.status_code == 403
        if method != "HEAD":
            assert refusal(refused) == (403, f"The permission '{needed}' is required")
            assert refused.json()["type"] == "not_allowed"
        if not route.path.startswith(TO_SUPERUSERS):
            answer = send(importer(secret_key(alone)), route, method)
            assert answer.status_code in (200, 400)  # 400: an active key stays

    def test_a_limited_key_opens_what_it_is_limited_to(self, route: Route, method: str) -> None:
        needed = route.endpoint.permissions[route.actions[method.lower().replace("head", "get")]]
        others = [
            f"{app}.{name}" for app, name in Permission.objects.values_list("content_type__app_label", "codename")
        ]
        others.remove(needed)
        maker = UserFactory(is_superuser=True)
        good = good_request(route, method)
        assert good.send(importer(secret_key(maker, permissions=others))).status_code == 403
        enough = [needed, *also_needed(route, method)]
        assert good.send(importer(secret_key(maker, permissions=enough))).status_code in (200, 400)

    def test_a_limited_key_opens_nothing_that_its_maker_has_lost(self, route: Route, method: str) -> None:
        needed = route.endpoint.permissions[route.actions[method.lower().replace("head", "get")]]
        maker, good = UserFactory(permissions=[needed]), good_request(route, method)
        limited = importer(secret_key(maker, permissions=[needed]))
        maker.user_permissions.clear()
        assert good.send(limited).status_code == 403
        User.objects.filter(pk=maker.pk).update(is_active=False)
        assert good.send(limited).status_code == 401


def routes_of_rows(batch: Route) -> list[Route]:
    """Those of the list, and of one row, where the rows of a batch have both."""
    path = re.compile(rf"{re.escape(batch.path.removesuffix('/batch'))}(/<str:\w+>)?")
    return [route for route in ROUTES if path.fullmatch(route.path)]


DELETE_ALONE = {"/admin/promotions/<str:id>/codes/batch"}
BATCHES = [
    route
    for route in ROUTES
    if issubclass(route.endpoint, RowEndpoint) and "batch" in route.actions.values() and len(routes_of_rows(route)) == 2
    if route.path not in DELETE_ALONE
]


@pytest.mark.parametrize("route", BATCHES, ids=str)
def test_a_batch_needs_the_permission_of_each_thing_it_does(route: Route) -> None:
    of_list, of_one = routes_of_rows(route)
    new, (path, _, old) = good_request(of_list, "POST"), good_request(of_one, "GET").path.rpartition("/")
    permissions, maker = route.endpoint.permissions, UserFactory(is_superuser=True)
    for action, rows, body in (("create", new.path, {"create": [new.body]}), ("destroy", path, {"delete": [old]})):
        needed = {permissions["batch"], permissions[action]}
        for permitted in (*({each} for each in needed), needed):
            answer = importer(secret_key(maker, permissions=permitted)).post(f"{rows}/batch", body)
            assert (answer.status_code == 403) == (permitted != needed), (body, permitted, answer.content)
