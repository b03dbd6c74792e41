import pytest
from django.contrib.auth.hashers import make_password

from apikeys import revocation
from apikeys.models import ApiKey
from apikeys.verification import publishable_scope, secret_key_owner
from kit.domain.actor import SYSTEM
from shop.models import SalesChannel, Store
from staff.models import User
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.operations.shop_file_runs import ShopFiles

pytestmark = pytest.mark.django_db

PUBLISHABLE = "pk_" + "0123456789abcdef" * 4
SECRET = "sk_" + "0123456789abcdef" * 4
ANN = {"email": "ann@example.com"}


class TestUsers:
    def test_a_password_counts_for_a_new_account_only(self, files: ShopFiles):
        files.load({"users": [{**ANN, "password": "first secret"}]})
        files.load({"users": [{**ANN, "password": "second secret", "first_name": "Ann"}]})
        ann = User.objects.get()
        assert ann.first_name == "Ann"
        assert ann.check_password("first secret")

    def test_without_a_password_none_fits(self, files: ShopFiles):
        files.load({"users": [ANN]})
        assert not User.objects.get().has_usable_password()

    def test_a_hash_is_kept_as_it_is(self, files: ShopFiles):
        files.load({"users": [{**ANN, "password": make_password("steeped leaves")}]})
        assert User.objects.get().check_password("steeped leaves")


class TestApiKeys:
    def test_a_generated_token_is_reported_once_and_works(self, files: ShopFiles):
        shop = {"api_keys": [{"title": "Web", "type": "publishable"}]}
        counts, output = files.load(shop)
        assert counts == "api_keys: 1 created, 0 updated, 0 unchanged"
        scope = publishable_scope(output.removeprefix("The token of the publishable key 'Web' is "))
        assert scope is not None
        assert scope.sales_channel_ids == (Store.objects.get().default_sales_channel_id,)
        assert files.load(shop) == ["api_keys: 0 created, 0 updated, 1 unchanged"]

    def test_a_refused_file_tells_no_token(self, files: ShopFiles, capsys):
        files.refused({"api_keys": [{"title": "Web", "type": "publishable"}, {"title": "Web 2"}]})
        assert "pk_" not in capsys.readouterr().out

    def test_given_tokens_are_kept_the_secret_one_as_its_digest(self, files: ShopFiles):
        channel = SalesChannelFactory(name="Web")
        files.load(
            {
                "users": [ANN],
                "api_keys": [
                    {"title": "Web", "type": "publishable", "token": PUBLISHABLE, "sales_channels": ["Web", "Web"]},
                    {"title": "Importer", "type": "secret", "token": SECRET, "created_by": "ANN@example.com"},
                ],
            }
        )
        scope, owned = publishable_scope(PUBLISHABLE), secret_key_owner(SECRET)
        assert scope is not None
        assert scope.sales_channel_ids == (channel.pk,)
        assert owned == (ApiKey.objects.get(title="Importer"), User.objects.get())
        assert ApiKey.objects.get(title="Importer").token == ""

    def test_a_secret_key_may_be_limited_to_permissions(self, files: ShopFiles):
        UserFactory(email="ann@example.com")
        limited = {"title": "Books", "type": "secret", "created_by": "ann@example.com",
                   "permissions": ["payments.add_refund", "orders.view_order", "orders.view_order"]}  # fmt: skip
        files.load({"api_keys": [limited]})
        assert ApiKey.objects.get().permissions == ["orders.view_order", "payments.add_refund"]
        for again in (limited, {"title": "Books"}):
            assert files.load({"api_keys": [again]}) == ["api_keys: 0 created, 0 updated, 1 unchanged"]
        assert ApiKey.objects.get().permissions == ["orders.view_order", "payments.add_refund"]
        for others in (None, ["orders.view_order"]):
            assert files.refused({"api_keys": [{"title": "Books", "permissions": others}]}) == [
                f"api_keys[0].permissions: the key {ApiKey.objects.get().pk} has others, which cannot be changed"
            ]

    def test_channels_and_title_may_change_and_touch_the_key(self, files: ShopFiles):
        web, app = SalesChannelFactory(name="Web"), SalesChannelFactory(name="App")
        key = publishable_key(web, title="Shop").key
        assert files.load({"api_keys": [{"id": key.pk, "title": "Store", "sales_channels": ["App"]}]}) == [
            "api_keys: 0 created, 1 updated, 0 unchanged"
        ]
        after = ApiKey.objects.get()
        assert (after.title, list(after.sales_channels.all())) == ("Store", [app])
        assert after.updated_at > key.updated_at
        assert files.load({"api_keys": [{"title": "Store", "sales_channels": []}]})
        assert not after.sales_channels.exists()

    def test_channels_left_out_are_left(self, files: ShopFiles):
        key = publishable_key(SalesChannelFactory(), title="Shop").key
        files.load({"api_keys": [{"title": "Shop", "type": "publishable"}]})
        assert key.sales_channels.count() == 1

    def test_a_deleted_channel_of_the_key_is_no_difference(self, files: ShopFiles):
        gone, web = SalesChannelFactory(), SalesChannelFactory(name="Web")
        publishable_key(gone, web, title="Shop")
        SalesChannel.objects.filter(pk=gone.pk).update(deleted_at="2020-01-01T00:00:00Z")
        assert files.load({"api_keys": [{"title": "Shop", "sales_channels": ["Web"]}]}) == [
            "api_keys: 0 created, 0 updated, 1 unchanged"
        ]

    def test_a_key_whose_end_is_set_is_meant_as_long_as_it_works(self, files: ShopFiles):
        key = publishable_key(title="Shop").key
        revocation.revoke(actor=SYSTEM, key_id=key.pk, revoke_in=3600)
        assert files.load({"api_keys": [{"title": "Shop", "type": "publishable"}]}) == [
            "api_keys: 0 created, 0 updated, 1 unchanged"
        ]

    def test_a_revoked_key_of_the_title_is_another_key(self, files: ShopFiles):
        old = publishable_key(title="Shop").key
        revocation.revoke(actor=SYSTEM, key_id=old.pk)
        files.load({"api_keys": [{"title": "Shop", "type": "publishable"}]})
        assert {key.state for key in ApiKey.objects.all()} == {"revoked", "active"}

    def test_two_keys_of_one_title_are_distinguished_by_their_ids(self, files: ShopFiles):
        keys = [{"id": f"apk_{number}", "title": "Shop", "type": "publishable"} for number in (1, 2)]
        assert files.load({"api_keys": keys})[0] == "api_keys: 2 created, 0 updated, 0 unchanged"
        assert files.load({"api_keys": keys}) == ["api_keys: 0 created, 0 updated, 2 unchanged"]

    def test_a_title_of_several_keys_is_reported_with_their_ids(self, files: ShopFiles):
        ids = [publishable_key(title="Shop").key.pk for _ in range(2)]
        assert files.refused({"api_keys": [{"title": "Shop"}]}) == [
            f"api_keys[0].title: 'Shop' is the title of {ids[0]}, {ids[1]}"
        ]

    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            ({}, ".title: is required|.type: is required"),
            ({"title": "Shop", "type": "public"}, '.type: expected publishable or secret, got "public"'),
            ({"title": "Shop", "type": "secret"}, ".created_by: is required: a secret key acts for a staff user"),
            ({"title": "Shop", "type": "secret", "created_by": "x"}, ".created_by: there is no staff user 'x'"),
            (
                {"title": "Shop", "type": "publishable", "sales_channels": "Web"},
                '.sales_channels: expected a list, got "Web"',
            ),
            (
                {"title": "Shop", "type": "publishable", "sales_channels": [1]},
                ".sales_channels[0]: expected a text, got 1",
            ),
            (
                {"title": "Shop", "type": "publishable", "sales_channels": ["Web", "Moon"]},
                ".sales_channels[1]: there is no sales channel 'Moon'",
            ),
            (
                {"title": "Shop", "type": "secret", "created_by": "ann@example.com", "sales_channels": ["Web"]},
                ".sales_channels: only publishable keys have sales channels",
            ),
            (
                {"title": "Shop", "type": "publishable", "permissions": ["orders.view_order"]},
                ".permissions: only secret keys can be limited to permissions",
            ),
            (
                {"title": "Shop", "type": "secret", "created_by": "ann@example.com", "permissions": []},
                ".permissions: must not be empty: leave it out for all permissions",
            ),
            (
                {"title": "Shop", "type": "secret", "created_by": "ann@example.com", "permissions": ["orders.fly"]},
                ".permissions: there is no permission 'orders.fly'",
            ),
            (
                {
                    "title": "Shop",
                    "type": "secret",
                    "created_by": "ann@example.com",
                    "permissions": "orders.view_order",
                },
                '.permissions: expected a list, got "orders.view_order"',
            ),
            (
                {"title": "Shop", "type": "publishable", "token": SECRET},
                ".token: expected a token of a publishable key, at least 32 characters that begin with pk_",
            ),
            (
                {"title": "Shop", "type": "publishable", "token": "pk_short"},
                ".token: expected a token of a publishable key, at least 32 characters that begin with pk_",
            ),
            (
                {"title": "Shop", "type": "publishable", "token": f"pk_abc***def${'0' * 64}ž"},
                ".token: expected a token of a publishable key, at least 32 characters that begin with pk_",
            ),
        ],
    )
    def test_a_bad_key_by_its_path(self, files: ShopFiles, given, problem):
        SalesChannelFactory(name="Web")
        UserFactory(email="ann@example.com")
        assert files.refused({"api_keys": [given]}) == [f"api_keys[0]{one}" for one in problem.split("|")]

    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            (
                {"type": "secret", "created_by": "ann@example.com"},
                "[0].type: the key {id} is publishable, which cannot be changed",
            ),
            ({"token": PUBLISHABLE}, "[0].token: the key {id} has another, which cannot be changed"),
            ({"created_by": "ann@example.com"}, "[0].created_by: the key {id} has another, which cannot be changed"),
        ],
    )
    def test_what_makes_a_key_what_it_is_cannot_change(self, files: ShopFiles, given, problem):
        UserFactory(email="ann@example.com")
        key = publishable_key(title="Shop").key
        problems = files.refused({"api_keys": [{"title": "Shop", **given}]})
        assert f"api_keys{problem.format(id=key.pk)}" in problems

    def test_a_token_that_another_key_has(self, files: ShopFiles):
        issued = publishable_key(title="Shop")
        revocation.revoke(actor=SYSTEM, key_id=issued.key.pk)
        assert files.refused({"api_keys": [{"title": "Other", "type": "publishable", "token": issued.token}]}) == [
            f"api_keys[0].token: belongs to the key {issued.key.pk}"
        ]

    def test_the_id_of_a_revoked_key(self, files: ShopFiles):
        key = secret_key().key
        revocation.revoke(actor=SYSTEM, key_id=key.pk)
        problems = files.refused({"api_keys": [{"id": key.pk, "title": "Other", "type": "publishable"}]})
        assert problems == ["api_keys[0].id: belongs to a revoked or deleted key"]

    def test_one_key_twice(self, files: ShopFiles):
        key = publishable_key(title="Shop").key
        assert files.refused({"api_keys": [{"title": "Shop"}, {"title": "Shop"}]}) == [
            f"api_keys[1]: the key {key.pk} already appears at api_keys[0]"
        ]
