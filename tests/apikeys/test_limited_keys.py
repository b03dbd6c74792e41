"""Secret keys that are limited to permissions: never more than those, and never more than their creator has."""

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction

from apikeys.errors import PermissionNotHeld, PermissionsOfPublishableKey
from apikeys.issuance import issue
from apikeys.models import ApiKey
from apikeys.verification import secret_key_owner
from kit.domain.actor import SYSTEM, Actor
from kit.errors import InvalidData
from staff.actors import staff_actor
from staff.models import User
from tests.contract.callers import importer, invalid, refusal
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

ADD, VIEW, CHANGE = (f"apikeys.{act}_apikey" for act in ("add", "view", "change"))
PATH = "/admin/api-keys"


@pytest.fixture
def ann() -> User:
    return UserFactory(permissions=[ADD, VIEW, CHANGE])


def through(key: ApiKey) -> Actor:
    """The staff user who acts by the key, as a request would authenticate them."""
    assert key.created_by is not None
    within = None if key.permissions is None else frozenset(key.permissions)
    return staff_actor(User.objects.get(pk=key.created_by_id), through=key.pk, within=within)


class TestIssuing:
    def test_the_permissions_are_kept_once_each_and_sorted(self, ann: User) -> None:
        issued = issue(actor=staff_actor(ann), title="a", type="secret", permissions=[VIEW, ADD, VIEW])
        assert ApiKey.objects.get().permissions == issued.key.permissions == [ADD, VIEW]

    def test_without_any_the_key_has_all_of_its_makers(self, ann: User) -> None:
        assert issue(actor=staff_actor(ann), title="a", type="secret").key.permissions is None

    def test_only_what_the_maker_has_can_be_given(self, ann: User) -> None:
        for actor, named in ((staff_actor(ann), None), (SYSTEM, ann.pk)):
            with pytest.raises(PermissionNotHeld, match=r"'payments\.add_refund': its creator does not have it"):
                issue(actor=actor, title="a", type="secret", created_by=named, permissions=[ADD, "payments.add_refund"])
        assert not ApiKey.objects.exists()

    @pytest.mark.parametrize(
        ("permissions", "message"),
        [
            ([], "'permissions' must not be empty: leave it out for all permissions"),
            (["apikeys.fly"], r"no permission 'apikeys\.fly', given by field 'permissions'"),
            (["view_apikey"], "no permission 'view_apikey'"),
            ([f"{VIEW}\0"], "no permission"),
        ],
    )
    def test_what_is_no_permission_is_refused(self, permissions: list[str], message: str) -> None:
        actor = staff_actor(UserFactory(is_superuser=True))
        with pytest.raises(InvalidData, match=message):
            issue(actor=actor, title="a", type="secret", permissions=permissions)
        assert not ApiKey.objects.exists()

    def test_a_publishable_key_has_none_to_limit(self, ann: User) -> None:
        with pytest.raises(PermissionsOfPublishableKey):
            issue(actor=staff_actor(ann), title="a", type="publishable", permissions=[VIEW])
        key = publishable_key().key
        with pytest.raises(IntegrityError), transaction.atomic():
            ApiKey.objects.filter(pk=key.pk).update(permissions=[VIEW])

    def test_an_item_that_is_none_is_reported_by_the_name_of_its_list(self, ann: User) -> None:
        refused = refusal(importer(secret_key(ann)).post(PATH, {"title": "a", "type": "secret", "permissions": [None]}))
        assert refused == invalid("Expected type: 'string' for field 'permissions', got: 'null'")


class TestThroughALimitedKey:
    def test_a_new_key_has_the_same_limit(self, ann: User) -> None:
        actor = through(secret_key(ann, permissions=[ADD, VIEW]).key)
        assert issue(actor=actor, title="a", type="secret").key.permissions == [ADD, VIEW]
        assert issue(actor=actor, title="a", type="publishable").key.permissions is None

    def test_or_a_narrower_one_and_none_wider(self, ann: User) -> None:
        actor = through(secret_key(ann, permissions=[ADD, VIEW]).key)
        assert issue(actor=actor, title="a", type="secret", permissions=[VIEW]).key.permissions == [VIEW]
        with pytest.raises(PermissionNotHeld, match=CHANGE):
            issue(actor=actor, title="a", type="secret", permissions=[CHANGE])

    def test_through_a_key_without_a_limit_there_is_none(self, ann: User) -> None:
        actor = through(secret_key(ann).key)
        assert issue(actor=actor, title="a", type="secret").key.permissions is None

    def test_it_never_gets_the_answer_that_its_maker_or_another_key_got(self, ann: User) -> None:
        request = {"title": "a", "type": "secret"}
        document = {"query": 'mutation { createApiKey(input: {title: "a", type: "secret"}) { apiKey { token } } }'}
        whole, narrow = importer(secret_key(ann)), importer(secret_key(ann, permissions=[ADD]))
        for path, body in ((PATH, request), ("/graphql", document)):
            first, again = (whole.post(path, body, Idempotency_Key=f"key-of-{path}") for _ in range(2))
            other = narrow.post(path, body, Idempotency_Key=f"key-of-{path}")
            assert first.content == again.content != other.content
            assert (again["Idempotent-Replayed"], other.has_header("Idempotent-Replayed")) == ("true", False)
        made = ApiKey.objects.filter(title="a").order_by("id")
        assert [key.permissions for key in made] == [None, [ADD], None, [ADD]]


class TestUse:
    def test_it_may_do_what_it_is_limited_to_and_nothing_else(self) -> None:
        reader = importer(secret_key(UserFactory(is_superuser=True), permissions=[VIEW]))
        assert reader.get(PATH).status_code == 200
        assert refusal(reader.post(PATH, {"title": "a", "type": "publishable"})) == (
            403,
            f"The permission '{ADD}' is required",
        )

    def test_a_permission_that_its_maker_has_lost_is_lost(self, ann: User) -> None:
        reader = importer(secret_key(ann, permissions=[VIEW]))
        assert reader.get(PATH).status_code == 200
        ann.user_permissions.remove(Permission.objects.get(codename="view_apikey"))
        assert refusal(reader.get(PATH)) == (403, f"The permission '{VIEW}' is required")

    def test_one_that_its_maker_gets_later_is_not_added(self, ann: User) -> None:
        reader = importer(secret_key(ann, permissions=[VIEW]))
        User.objects.filter(pk=ann.pk).update(is_superuser=True)
        assert reader.post(PATH, {"title": "a", "type": "publishable"}).status_code == 403

    def test_it_ends_with_its_makers_account(self, ann: User) -> None:
        issued = secret_key(ann, permissions=[VIEW])
        User.objects.filter(pk=ann.pk).update(is_active=False)
        assert secret_key_owner(issued.token) is None
        assert importer(issued).get(PATH).status_code == 401

    def test_graphql_has_the_same_limit(self) -> None:
        reader = importer(secret_key(UserFactory(is_superuser=True), permissions=[VIEW]))
        answer = reader.post("/graphql", {"query": "{ apiKeys { apiKeys { title permissions } } }"}).json()
        assert answer == {"data": {"apiKeys": {"apiKeys": [{"title": "Importer", "permissions": [VIEW]}]}}}
        document = 'mutation { createApiKey(input: {title: "a", type: "secret"}) { apiKey { id } } }'
        (error,) = reader.post("/graphql", {"query": document}).json()["errors"]
        assert error["message"] == f"The permission '{ADD}' is required"
