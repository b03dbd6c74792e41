import json
import stat
from pathlib import Path

import pytest
from django.core.management import CommandError

from apikeys import revocation
from apikeys.models import ApiKey
from apikeys.verification import publishable_scope, secret_key_owner
from carts.shop_file.promotions import OLDER
from catalog.categories import category_tree
from catalog.models import ProductCategory
from catalog.shop_file import ProductCategories
from commerce.operations.shop_files.shop_files import SECTIONS
from kit.domain.actor import SYSTEM
from shop.models import Region, SalesChannel, ShippingProfile, StockLocation, Store
from staff.models import User
from tests.catalog.trees import faults
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.catalog import CategoryFactory
from tests.factories.giftcards import gift_card
from tests.factories.shop import RegionFactory, SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.operations import tea_shop
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

DERIVED = ("updated_at", "last_used_at", "stamp", "last_login")


@pytest.fixture
def shop() -> dict[str, str]:
    """A bit of everything; the clear tokens of the two working keys."""
    web = SalesChannelFactory(name="Web", description='Žluťoučký \u2028 "kůň"')
    SalesChannelFactory(name="Old", is_disabled=True)
    Store.objects.update(name="Tea & Co", default_sales_channel=web, default_region=RegionFactory(countries=["cz"]))
    StockLocation.objects.create(name="Warehouse")
    ShippingProfile.objects.create(name="Boxes")
    ann = User.objects.create_superuser("ann@example.com", "steeped leaves", first_name="Ann")
    tea = CategoryFactory(name="Tea", metadata={"a": [1, 1.5, {"b": None}], "c": True})
    for name in ("Green", "Black"):
        CategoryFactory(name=name, parent=tea, is_internal=name == "Black")
    CategoryFactory(name="Sencha", parent=ProductCategory.objects.get(name="Green"))
    for _ in range(2):
        category_tree.delete(actor=SYSTEM, category_id=CategoryFactory(name="Gone", parent=tea, rank=0).pk)
    old, gone = CategoryFactory(name="Cups"), CategoryFactory(name="Mugs", parent=CategoryFactory(name="Temporary"))
    category_tree.move(actor=SYSTEM, category_id=gone.pk, parent_id=old.pk)
    for row in (gone, old):
        category_tree.delete(actor=SYSTEM, category_id=row.pk)
    CategoryFactory(name="Cups")
    secret_key(ann, "Books", permissions=["orders.view_order"])
    return {"Shop": publishable_key(web, title="Shop").token, "Importer": secret_key(ann, "Importer").token}


def empty() -> None:
    """Leave what the migrations make."""
    ApiKey.objects.all().delete()
    User.objects.all().delete()
    for _ in range(10):
        ProductCategory.objects.filter(category_children=None).delete()
    channel = SalesChannel.objects.get(name="Default Sales Channel")
    Store.objects.update(name="Store", default_sales_channel=channel, default_region=None)
    for model in (Region, StockLocation, ShippingProfile):
        model.objects.all().delete()
    SalesChannel.objects.exclude(name="Default Sales Channel").delete()
    assert not ProductCategory.objects.exists()


def kept() -> dict[str, list[dict]]:
    """All rows, without the values that differ in a copy."""
    rows = everything()
    for link in rows["ApiKey_sales_channels"]:
        del link["id"]
    return {
        table: [{name: value for name, value in row.items() if name not in DERIVED} for row in rows[table]]
        for table in rows
    }


class TestRoundTrip:
    @pytest.mark.parametrize("options", [(), ("--with-credentials",)])
    def test_a_dump_loaded_again_changes_no_row(self, files: ShopFiles, shop, options):
        content = files.dump(*options)
        before = everything()
        lines = files.load(content)
        assert everything() == before
        assert lines == [f"{key}: 0 created, 0 updated, {len(objects)} unchanged" for key, objects in content.items()]

    def test_another_shop_becomes_the_same(self, files: ShopFiles, shop):
        before = kept()
        content = files.dump("--with-credentials")
        empty()
        files.load(content)
        assert kept() == before
        assert faults() == []

    def test_passwords_and_tokens_work_in_the_copy(self, files: ShopFiles, shop):
        content = files.dump("--with-credentials")
        empty()
        files.load(content)
        ann = User.objects.get()
        assert ann.check_password("steeped leaves")
        assert publishable_scope(shop["Shop"]) is not None
        assert secret_key_owner(shop["Importer"]) == (ApiKey.objects.get(title="Importer"), ann)

    def test_a_shop_without_users_takes_a_dump_without_credentials(self, files: ShopFiles, shop):
        ApiKey.objects.filter(title="Shop").update(created_by=User.objects.get())
        content = files.dump()
        empty()
        files.load(content)
        assert list(ApiKey.objects.values_list("title", "created_by")) == [("Shop", None)]

    def test_sections_dump_the_fields_that_they_read(self, files: ShopFiles, shop):
        files.load(tea_shop.with_a_buyer())
        content = files.dump("--with-credentials")
        for section in SECTIONS:
            expected = section.all_fields().keys() - (OLDER if section.key == "promotions" else ())
            assert {field for one in content[section.key] for field in one} == expected


class TestCredentials:
    def test_are_left_out_unless_asked_for(self, files: ShopFiles, shop):
        content = files.dump()
        assert content["users"] == []
        assert [(key["title"], key["token"]) for key in content["api_keys"]] == [("Shop", shop["Shop"])]
        assert "created_by" not in content["api_keys"][0]

    def test_are_never_in_clear(self, files: ShopFiles, shop):
        text = json.dumps(files.dump("--with-credentials"))
        assert "steeped leaves" not in text
        assert shop["Importer"] not in text
        assert "argon2" in text

    @pytest.mark.parametrize(
        ("options", "mode"),
        [
            ((), 0o600),
            (("--only", "gift_cards"), 0o600),
            (("--only", "stores"), 0o644),
            (("--only", "stores", "--with-credentials"), 0o600),
        ],
    )
    @pytest.mark.parametrize("name", ["dump.json", "dump.json.gz"])
    def test_codes_of_gift_cards_are_for_their_owner_alone(self, files: ShopFiles, options, mode, name):
        gift_card()
        files.dump(*options, name=name)
        assert stat.S_IMODE((files.directory / name).stat().st_mode) == mode

    @pytest.mark.parametrize(("options", "mode"), [((), 0o644), (("--with-credentials",), 0o600)])
    def test_are_for_their_owner_alone(self, files: ShopFiles, options, mode):
        path = files.directory / "dump.json"
        path.touch(0o666)
        (files.directory / "dump.json.part").touch(0o666)
        files.dump(*options)
        assert stat.S_IMODE(path.stat().st_mode) == mode

    def test_what_opens_nothing_is_left_out(self, files: ShopFiles):
        revocation.revoke(actor=SYSTEM, key_id=publishable_key(title="Revoked").key.pk)
        revocation.revoke(actor=SYSTEM, key_id=publishable_key(title="Ending").key.pk, revoke_in=3600)
        secret_key(UserFactory(email="gone@example.com", is_active=False), "Orphan")
        content = files.dump("--with-credentials")
        assert (content["users"], content["api_keys"]) == ([], [])


class TestFiles:
    def test_standard_output(self, files: ShopFiles, shop, capsysbinary):
        files.run("dump_shop", "--only", "stores")
        (store,) = json.loads(capsysbinary.readouterr().out)["stores"]
        assert (store["name"], store["default_sales_channel"]) == ("Tea & Co", "Web")

    def test_a_gzipped_file(self, files: ShopFiles, shop):
        assert files.dump(name="dump.json.gz") == files.dump()

    def test_only_the_keys_asked_for(self, files: ShopFiles, shop):
        assert list(files.dump("--only", "product_categories", "stores")) == ["stores", "product_categories"]

    def test_the_counts_are_reported(self, files: ShopFiles, shop):
        assert files.run("dump_shop", str(files.directory / "d.json"), "--only", "stores") == ["stores: 1"]

    def test_an_older_file_stays_when_a_dump_fails(self, files: ShopFiles, monkeypatch):
        path = Path(files.write("older", "dump.json"))

        def fail(**_):
            raise RuntimeError("out of memory")

        monkeypatch.setattr(ProductCategories, "dump", fail)
        with pytest.raises(RuntimeError):
            files.dump()
        assert path.read_text() == "older"
        assert list(files.directory.iterdir()) == [path]

    def test_a_directory_that_is_not_there_is_reported(self, files: ShopFiles):
        with pytest.raises(CommandError, match="No such file or directory"):
            files.run("dump_shop", str(files.directory / "nowhere" / "dump.json"))
