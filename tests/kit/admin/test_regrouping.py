"""Products and customers are put into groups and taken out: from lists, and from the pages of the groups."""

from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog.models import Product, ProductCollection, ProductTag, ProductType
from customers.models import Customer, CustomerGroup
from kit.admin.actions import verb_actions
from kit.jobs.models import Job
from kit.jobs.states import JobStatus
from shop.models import SalesChannel
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import CustomerFactory
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import reported, superuser, visitor
from tests.kit.jobs.bulk_worker import run_bulk_worker

PRODUCTS, CUSTOMERS = "/admin/catalog/product/", "/admin/customers/customer/"
EDITOR = ("catalog.view_product", "catalog.change_product", "catalog.view_producttag")


def organise(client: Client, address: str, rows: list[Any], **chosen: Any) -> Any:
    keys = [row.pk for row in rows]
    given = {"action": "organise_selected", "_selected_action": keys, "index": "0", "post": "yes"}
    return client.post(address, {**given, **chosen})


def records() -> list[tuple[str, str]]:
    return list(LogEntry.objects.order_by("pk").values_list("object_repr", "change_message"))


@pytest.mark.django_db
class TestFromTheList:
    def test_products_get_all_kinds_of_groups_at_once(self) -> None:
        teas, old = (ProductCollection.objects.create(title=title, handle=title) for title in ("teas", "old"))
        new, sale = ProductTag.objects.create(value="new"), ProductTag.objects.create(value="sale")
        pot, category = ProductType.objects.create(value="pot"), CategoryFactory(name="Green")
        web, shop = SalesChannel.objects.create(name="Web"), SalesChannel.objects.create(name="Shop")
        assam, sencha = ProductFactory(title="Assam", collection=old), ProductFactory(title="Sencha")
        assam.tags.set([sale])
        sencha.sales_channels.set([shop])
        chosen = {"add_collection": teas.pk, "add_tags": [new.pk], "remove_tags": [sale.pk], "add_type": pot.pk}
        chosen |= {"add_categories": [category.pk], "add_sales_channels": [web.pk], "remove_sales_channels": [shop.pk]}
        answer = organise(superuser(), PRODUCTS, [assam, sencha], **chosen)
        said = (
            "Added to collection “teas”. Added to categories “Green”. Added to tags “new”. "
            "Added to sales channels “Web”. Added to type “pot”. Removed from tags “sale”. "
            "Removed from sales channels “Shop”."
        )
        assert reported(answer) == [f"2 products: {said[0].lower()}{said[1:]}"]
        for product in Product.objects.all():
            assert (product.collection, product.type) == (teas, pot)
            assert [*product.tags.all()] == [new]
            assert [*product.categories.all()] == [category]
            assert {web, shop} & {*product.sales_channels.all()} == {web}
        assert sorted(records()) == [("Assam", said), ("Sencha", said)]
        assert {entry.action_flag for entry in LogEntry.objects.all()} == {CHANGE}

    def test_those_that_need_no_change_have_no_history(self) -> None:
        tag = ProductTag.objects.create(value="new")
        assam, sencha = ProductFactory(title="Assam"), ProductFactory(title="Sencha")
        assam.tags.set([tag])
        answer = organise(superuser(), PRODUCTS, [assam, sencha], add_tags=[tag.pk])
        assert reported(answer) == ["1 product: added to tags “new”.", "1 product: nothing to change."]
        assert records() == [("Sencha", "Added to tags “new”.")]

    def test_only_those_of_a_collection_are_taken_out_of_it(self) -> None:
        teas, pots = (ProductCollection.objects.create(title=title, handle=title) for title in ("teas", "pots"))
        assam, pot = ProductFactory(collection=teas), ProductFactory(collection=pots)
        organise(superuser(), PRODUCTS, [assam, pot], remove_collection=[teas.pk])
        assert [*Product.objects.order_by("pk").values_list("collection", flat=True)] == [None, pots.pk]

    def test_those_of_a_deleted_collection_stay_in_it(self) -> None:
        teas, old = (ProductCollection.objects.create(title=title, handle=title) for title in ("teas", "old"))
        tag = ProductTag.objects.create(value="new")
        assam, pot = ProductFactory(collection=teas), ProductFactory(collection=old)
        ProductCollection.objects.filter(pk=old.pk).update(deleted_at=old.created_at)
        organise(superuser(), PRODUCTS, [assam, pot], remove_collection=[teas.pk], add_tags=[tag.pk])
        assert [*Product.objects.order_by("pk").values_list("collection", flat=True)] == [None, old.pk]
        assert tag.products.count() == 2

    def test_deleted_ones_are_reported_and_stay(self) -> None:
        tag, product = ProductTag.objects.create(value="new"), ProductFactory()
        Product.objects.update(deleted_at=product.created_at)
        answer = organise(superuser(), f"{PRODUCTS}?deleted=yes", [product], add_tags=[tag.pk])
        assert reported(answer) == ["1 product: deleted by now."]
        assert not product.tags.exists()

    @pytest.mark.parametrize(
        ("names", "message"),
        [((), "Choose what to add or remove."), (("add_tags", "remove_tags"), "These are also chosen to be added.")],
    )
    def test_it_asks_again_where_nothing_or_both_is_chosen(self, names: tuple[str, ...], message: str) -> None:
        tag = ProductTag.objects.create(value="new")
        answer = organise(superuser(), PRODUCTS, [ProductFactory()], **{name: [tag.pk] for name in names})
        assert message in answer.content.decode()
        assert not Product.tags.through.objects.exists()

    def test_the_number_of_statements_does_not_depend_on_that_of_the_rows(self) -> None:
        tag = ProductTag.objects.create(value="new")
        collection = ProductCollection.objects.create(title="Teas", handle="teas")
        client, counts = superuser(), []
        for count in (1, 10, 30):
            rows = [ProductFactory() for _ in range(count)]
            with CaptureQueriesContext(connection) as queries:
                organise(client, PRODUCTS, rows, add_tags=[tag.pk], add_collection=collection.pk)
            counts.append(len(queries))
        assert Product.tags.through.objects.count() == 41
        assert counts[1] == counts[2]

    def test_who_may_not_change_products_is_not_offered_it(self) -> None:
        tag, product = ProductTag.objects.create(value="new"), ProductFactory()
        client = visitor("catalog.view_product", "catalog.view_producttag")
        assert "organise_selected" not in client.get(PRODUCTS).content.decode()
        organise(client, PRODUCTS, [product], add_tags=[tag.pk])
        assert not product.tags.exists()

    def test_customers_get_groups(self) -> None:
        group, ann = CustomerGroup.objects.create(name="Trade"), CustomerFactory(email="ann@example.com")
        answer = organise(superuser(), CUSTOMERS, [ann], add_groups=[group.pk])
        assert reported(answer) == ["1 customer: added to groups “Trade”."]
        assert records() == [("ann@example.com", "Added to groups “Trade”.")]
        organise(superuser(), CUSTOMERS, [ann], remove_groups=[group.pk])
        assert not ann.groups.exists()


@pytest.mark.django_db(transaction=True)
class TestManyRows:
    @pytest.fixture(autouse=True)
    def three_rows_are_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(verb_actions, "MOST_IN_REQUEST", 2)

    def test_they_are_done_by_a_job(self) -> None:
        tag, rows = ProductTag.objects.create(value="new"), [ProductFactory() for _ in range(4)]
        rows[0].tags.set([tag])
        client, address = superuser(), f"{PRODUCTS}?status__exact=draft"
        Product.objects.update(status="draft")
        started = organise(client, address, rows, add_tags=[tag.pk])
        assert f'href="{address}">Back to the list' in client.get(started.url).content.decode()
        assert not LogEntry.objects.exists()
        run_bulk_worker(turns=1)
        job = Job.objects.get()
        assert (job.title, job.status, job.succeeded, job.total) == ("Products to be organised", JobStatus.DONE, 4, 4)
        assert Product.tags.through.objects.count() == 4
        assert len(records()) == 3

    def test_it_ends_where_its_actor_may_no_longer_change_them(self) -> None:
        tag, client = ProductTag.objects.create(value="new"), visitor(*EDITOR)
        organise(client, PRODUCTS, [ProductFactory() for _ in range(3)], add_tags=[tag.pk])
        client.user.user_permissions.remove(client.user.user_permissions.get(codename="change_product"))
        run_bulk_worker(turns=1)
        assert Job.objects.get().status == JobStatus.FAILED
        assert not Product.tags.through.objects.exists()


@pytest.mark.django_db
class TestFromAGroupsPage:
    @pytest.mark.parametrize("relation", ["collection", "type", "tags", "categories", "sales_channels"])
    def test_products_are_added_and_removed(self, relation: str) -> None:
        group = {
            "collection": lambda: ProductCollection.objects.create(title="Teas", handle="teas"),
            "type": lambda: ProductType.objects.create(value="Tea"),
            "tags": lambda: ProductTag.objects.create(value="new"),
            "categories": lambda: CategoryFactory(name="Green"),
            "sales_channels": lambda: SalesChannel.objects.create(name="Web"),
        }[relation]()
        client, (assam, pot) = superuser(), [ProductFactory(title="Assam"), ProductFactory(title="Pot")]
        page = reverse(f"admin:{group._meta.label_lower.replace('.', '_')}_change", args=[quote(group.pk)])
        for button in ("Show products", "Add products", "Remove products"):
            assert button in client.get(page).content.decode()
        members = Product.objects.filter(**{relation: group}).order_by("pk")

        def press(name: str, *rows: Product) -> Any:
            address = reverse(f"admin:{group._meta.label_lower.replace('.', '_')}_{name}", args=[quote(group.pk)])
            return client.post(address, {"post": "yes", "members": [row.pk for row in rows]})

        answer = press("add_products", assam, pot)
        assert answer["Location"] == page
        assert [*members.all()] == [assam, pot]
        press("remove_products", pot)
        assert [*members.all()] == [assam]
        said = f"to {relation.replace('_', ' ')} “{group}”."
        assert records() == [
            ("Assam", f"Added {said}"),
            ("Pot", f"Added {said}"),
            ("Pot", f"Removed from{said.removeprefix('to')}"),
        ]
        shown = client.get(press("show_products")["Location"]).content.decode()
        assert "Assam" in shown
        assert "Pot<" not in shown

    def test_customers_are_added_and_removed(self) -> None:
        group, ann = CustomerGroup.objects.create(name="Trade"), CustomerFactory()
        for name, members in (("add_customers", [ann]), ("remove_customers", [])):
            address = reverse(f"admin:customers_customergroup_{name}", args=[quote(group.pk)])
            superuser().post(address, {"post": "yes", "members": [ann.pk]})
            assert [*Customer.objects.filter(groups=group)] == members

    @pytest.mark.parametrize("missing", range(3))
    def test_they_require_permission_for_the_group_and_its_members(self, missing: int) -> None:
        tag, product = ProductTag.objects.create(value="new"), ProductFactory()
        address = reverse("admin:catalog_producttag_add_products", args=[quote(tag.pk)])
        given = {"post": "yes", "members": [product.pk]}
        assert visitor(*EDITOR[:missing], *EDITOR[missing + 1 :]).post(address, given).status_code == 403
        assert not product.tags.exists()
        assert visitor(*EDITOR).post(address, given).status_code == 302

    def test_a_deleted_group_takes_no_members(self) -> None:
        tag, product = ProductTag.objects.create(value="new"), ProductFactory()
        ProductTag.objects.update(deleted_at=product.created_at)
        address = reverse("admin:catalog_producttag_add_products", args=[quote(tag.pk)])
        assert superuser().post(address, {"post": "yes", "members": [product.pk]}).status_code == 404
