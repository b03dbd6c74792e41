"""Staff fill price lists with reduced prices, repeat the reductions and end them."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.test import Client
from django.urls import reverse

from catalog.admin.price_lists import reducing
from catalog.models import PriceList, Product
from catalog.prices.reductions.reduction import reductions_of
from kit.jobs.models import Job
from kit.values.timestamps import now
from tests.catalog.admin.test_price_list_admin import ADD, LIST, form_of
from tests.catalog.prices.reductions.sales import amounts, listed, reduce, sold
from tests.factories.catalog import CategoryFactory
from tests.factories.pricing import PriceListFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory, ProductTagFactory, ProductTypeFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]
MAY = ("catalog.change_pricelist", "catalog.add_price", "catalog.change_price", "catalog.delete_price")


def page_of_repeating(sale: PriceList) -> str:
    return reverse("admin:catalog_pricelist_repeat", args=[quote(sale.pk)])


def confirm(client: Client, sale: PriceList) -> Any:
    return client.post(page_of_repeating(sale), {"post": "yes"})


class TestReducing:
    def test_a_sale_is_made_in_one_step(self) -> None:
        tea, client = sold("20"), superuser()
        sold("30")
        values = sent(client, ADD, title="Spring", status="active", reduce_by="10", products=[tea.product_id])
        assert "1 price added, 0 changed, 0 removed." in reported(submit(client, ADD, values))
        assert listed(PriceList.objects.get()) == [("usd", Decimal(18), None, [])]

    def test_prices_are_added_to_a_stored_list(self) -> None:
        sale, client = PriceListFactory(), superuser()
        sold("20")
        submit(client, form_of(sale), sent(client, form_of(sale), reduce_by="12.5"))
        assert listed(sale) == [("usd", Decimal("17.5"), None, [])]
        submit(client, form_of(sale), sent(client, form_of(sale)))
        assert listed(sale) == [("usd", Decimal("17.5"), None, [])]

    def test_goods_are_collections_categories_tags_and_types(self) -> None:
        client, sale = superuser(), PriceListFactory()
        groups = {
            "collections": ("collection", ProductCollectionFactory()),
            "categories": ("categories", CategoryFactory()),
            "tags": ("tags", ProductTagFactory()),
            "types": ("type", ProductTypeFactory()),
        }
        for relation, group in groups.values():
            sold("10", title=relation, **{relation: [group] if relation in ("categories", "tags") else group})
        sold("10", title="none")
        chosen = {name: [group.pk] for name, (_, group) in groups.items()}
        submit(client, form_of(sale), sent(client, form_of(sale), reduce_by="50", **chosen))
        assert amounts(sale) == {relation: "5" for relation, _ in groups.values()}

    @pytest.mark.parametrize(
        ("given", "at"),
        [
            ({"reduce_by": "100"}, "reduce_by"),
            ({"reduce_by": "0"}, "reduce_by"),
            ({"reduce_by": "a lot"}, "reduce_by"),
            ({"reduce_by": "10", "products": ["prod_unknown"]}, "products"),
            ({"reduce_by": "10", "tags": ["\0"]}, "tags"),
            ({"reduce_by": "10"}, ""),
            ({"ended_reductions": ["unknown"]}, "ended_reductions"),
        ],
    )
    def test_an_error_stands_at_its_field_and_nothing_is_saved(self, given: dict[str, Any], at: str) -> None:
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, title="Spring", **given))
        assert list(errors(answer)) == [at]
        assert not PriceList.objects.exists()

    @pytest.mark.parametrize(
        ("field", "make"), [("products", ProductFactory), ("collections", ProductCollectionFactory)]
    )
    def test_goods_need_a_percentage(self, field: str, make: Any) -> None:
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, title="Spring", **{field: [make().pk]}))
        assert errors(answer) == {"reduce_by": ["Enter a percentage to reduce the prices of these products."]}

    def test_many_are_reduced_by_a_job(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reducing, "BATCH", 2)
        sale, client = PriceListFactory(title="Spring"), superuser()
        for amount in ("10", "20", "30"):
            sold(amount)
        (message,) = reported(submit(client, form_of(sale), sent(client, form_of(sale), reduce_by="10")))[:1]
        job = Job.objects.get()
        assert message.startswith(f'A <a href="{reverse("admin:jobs_job_change", args=[quote(job.pk)])}?back=')
        assert (job.title, job.parameters["total"], listed(sale)) == ("Prices of Spring to be reduced", 3, [])
        Job.objects.update(status="done", message="3 prices added, 0 changed, 0 removed")
        page = client.get(reverse("admin:jobs_job_change", args=[quote(job.pk)])).content.decode()
        assert "3 prices added, 0 changed, 0 removed." in page

    def test_users_with_view_permission_do_not_see_the_fields(self, client: Any) -> None:
        client.force_login(UserFactory(permissions=["catalog.view_pricelist"]))
        sale = PriceListFactory()
        sold("10")
        reduce(sale)
        page = client.get(form_of(sale)).content.decode()
        assert "Title" in page
        assert "Reduce" not in page
        assert "Repeat" not in page


class TestRepeating:
    def test_it_asks_and_brings_the_list_up_to_date(self) -> None:
        spring, tag, client = ProductCollectionFactory(title="Spring"), ProductTagFactory(value="new"), superuser()
        sale, gone = PriceListFactory(), sold("10", collection=spring)
        assert "Repeat reductions" not in client.get(form_of(sale)).content.decode()
        reduce(sale, "12.50", collections=[spring], tags=[tag])
        assert "Repeat reductions" in client.get(form_of(sale)).content.decode()
        asked = client.get(page_of_repeating(sale)).content.decode()
        assert "12.5% off collections “Spring”, tags “new”" in asked
        Product.objects.filter(pk=gone.product_id).update(collection=None)
        for title in ("Pot", "Cup"):
            sold("20", title=title, collection=spring)
        answer = confirm(client, sale)
        assert (answer.url, reported(answer)) == (
            f"{LIST}{quote(sale.pk)}/change/",
            ["2 prices added, 0 changed, 1 removed."],
        )
        assert amounts(sale) == {"Pot": "17.5", "Cup": "17.5"}
        assert LogEntry.objects.get().change_message == "Reductions repeated."

    def test_the_page_names_few_products_and_counts_many(self) -> None:
        sale, client, few = PriceListFactory(), superuser(), [ProductFactory(title="Tea"), ProductFactory(title="Pot")]
        sold("10")
        reduce(sale, "10", products=few)
        reduce(sale, "20", products=[ProductFactory() for _ in range(4)])
        reduce(sale, "30")
        Product.objects.filter(title="Pot").update(deleted_at=now())
        page = client.get(page_of_repeating(sale)).content.decode()
        for text in ("10% off products “Pot” (deleted), “Tea”", "20% off 4 products", "30% off all products"):
            assert text in page

    @pytest.mark.parametrize("missing", MAY)
    def test_it_takes_the_permissions_of_prices(self, missing: str) -> None:
        sale, client = PriceListFactory(), visitor("catalog.view_pricelist", *(name for name in MAY if name != missing))
        sold("10")
        reduce(sale)
        assert "Repeat reductions" not in client.get(form_of(sale)).content.decode()
        assert confirm(client, sale).status_code == 403

    def test_a_list_that_was_deleted_meanwhile_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sale, client = PriceListFactory(), superuser()
        sold("10")
        reduce(sale)
        PriceList.objects.update(deleted_at=now())
        assert reported(confirm(client, sale)) == [f"Price list with id: {sale.pk} was not found"]


class TestEnding:
    def test_prices_of_an_ended_reduction_are_removed(self) -> None:
        spring, client, sale = ProductCollectionFactory(title="Spring"), superuser(), PriceListFactory()
        sold("10", title="Cup")
        sold("10", title="Pot", collection=spring)
        reduce(sale)
        reduce(sale, "20", collections=[spring])
        page = client.get(form_of(sale)).content.decode()
        assert "20% off collections “Spring”" in page
        choices = client.get(form_of(sale)).context["adminform"].form.fields["ended_reductions"].choices
        whole = {label: key for key, label in choices}["10% off all products"]
        answer = submit(client, form_of(sale), sent(client, form_of(sale), ended_reductions=[whole]))
        assert "0 prices added, 0 changed, 1 removed." in reported(answer)
        sale.refresh_from_db()
        assert [one.percent for one in reductions_of(sale)] == [20]
        assert amounts(sale) == {"Pot": "8"}
