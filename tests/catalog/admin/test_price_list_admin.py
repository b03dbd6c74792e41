"""The screens of price lists, collections, types and tags."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry

from catalog.models import Price, PriceList, PriceListRule, PriceSet, ProductCollection, ProductTag, ProductVariant
from kit.domain import soft_deletion
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductCollectionFactory, ProductTagFactory, VariantFactory
from tests.kit.admin.forms import changed, errors, row, sent, submit
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/catalog/pricelist/"
ADD = f"{LIST}add/"
COLLECTIONS = "/admin/catalog/productcollection/"
TAGS = "/admin/catalog/producttag/"


def form_of(sale: PriceList) -> str:
    return f"{LIST}{sale.pk}/change/"


class TestPriceLists:
    def test_one_is_made_with_dates_rules_and_prices(self):
        variant, client = VariantFactory(price_set=None), superuser()
        values = sent(client, ADD, title="Summer", starts_at_0="2026-06-01", starts_at_1="00:00:00")
        values = row(values, "rules", attribute="customer.groups.id", value="vip\n staff ")
        values = row(values, "prices", variant=variant.pk, currency="usd", amount="5")
        submit(client, ADD, values)
        sale = PriceList.objects.get()
        assert (sale.title, sale.type, sale.status, sale.starts_at.isoformat()) == (
            *("Summer", "sale", "draft"),
            "2026-06-01T00:00:00+00:00",
        )
        assert PriceListRule.objects.get().value == ["vip", "staff"]
        made = Price.objects.get()
        assert (made.price_list, made.price_set.variant, made.amount) == (sale, variant, Decimal(5))

    def test_prices_change_go_and_keep_their_variant(self):
        sale, variant, client = PriceListFactory(), VariantFactory(), superuser()
        price(variant, "5", price_list=sale)
        price(variant, "6", "eur", price_list=sale)
        other = VariantFactory()
        given = {"prices-0-amount": "4.50", "prices-0-variant": other.pk, "prices-1-DELETE": "on"}
        submit(client, form_of(sale), sent(client, form_of(sale), **given))
        stored = Price.objects.not_deleted().get()
        assert (stored.amount, stored.price_set.variant) == (Decimal("4.5"), variant)

    @pytest.mark.parametrize(
        ("given", "at"),
        [
            ({"title": ""}, "title"),
            ({"title": "Taken"}, "title"),
            ({"title": "\0"}, "title"),
            ({"type": "gift"}, "type"),
            ({"starts_at_0": "99999999-01-01", "starts_at_1": "00:00"}, "starts_at"),
            ({"starts_at_1": "08:00"}, "starts_at"),
            (
                {"ends_at_0": "2026-06-01", "ends_at_1": "00:00", "starts_at_0": "2026-06-01", "starts_at_1": "00:00"},
                "ends_at",
            ),
            ({"rules-0-value": " \n"}, "rules-0-value"),
            ({"rules-0-attribute": "regio_id"}, "rules-0-attribute"),
            ({"rules-0-attribute": "item_total"}, "rules-0-attribute"),
            ({"prices-0-variant": "variant_none"}, "prices-0-variant"),
            ({"prices-0-variant": "\0"}, "prices-0-variant"),
            ({"prices-0-variant": ""}, "prices-0-variant"),
            ({"prices-0-amount": "5.0001"}, "prices-0-amount"),
            ({"prices-0-amount": "-5"}, "prices-0-amount"),
            ({"prices-0-max_quantity": "-5"}, "prices-0-max_quantity"),
        ],
    )
    def test_each_fault_is_reported_at_its_field(self, given, at):
        PriceListFactory(title="Taken")
        variant, client = VariantFactory(), superuser()
        values = row(sent(client, ADD, title="Summer"), "rules", attribute="region_id", value="x")
        values = row(values, "prices", variant=variant.pk, currency="usd", amount="5")
        answer = client.post(ADD, values | {name: [value] for name, value in given.items()})
        assert list(errors(answer)) == [at]
        assert PriceList.objects.count() == 1

    def test_the_same_price_twice_is_refused(self):
        sale, variant, client = PriceListFactory(), VariantFactory(), superuser()
        price(variant, "5", price_list=sale)
        values = row(sent(client, form_of(sale)), "prices", variant=variant.pk, currency="usd", amount="4")
        assert errors(client.post(form_of(sale), values)) == {
            "prices-1-variant": ["The list already has a price for this variant, currency, quantities and region."]
        }

    def test_a_new_list_may_price_what_has_a_price_outside_it(self):
        variant, client = VariantFactory(), superuser()
        price(variant, "5")
        values = row(sent(client, ADD, title="Summer"), "prices", variant=variant.pk, currency="usd", amount="4")
        submit(client, ADD, values)
        assert [one.amount for one in PriceList.objects.get().prices.all()] == [Decimal(4)]

    def test_two_first_prices_of_one_variant_share_its_price_set(self):
        variant, client = VariantFactory(price_set=None), superuser()
        values = row(sent(client, ADD, title="Summer"), "prices", variant=variant.pk, currency="usd", amount="5")
        values = row(values, "prices", variant=variant.pk, currency="eur", amount="4")
        submit(client, ADD, values)
        price_set = ProductVariant.objects.get().price_set
        assert sorted(price_set.prices.values_list("currency_id", flat=True)) == ["eur", "usd"]
        assert PriceSet.objects.count() == 1

    def test_the_same_new_price_twice_is_refused_where_no_price_set_is_yet(self):
        variant, client = VariantFactory(price_set=None), superuser()
        values = row(sent(client, ADD, title="Summer"), "prices", variant=variant.pk, currency="usd", amount="5")
        values = row(values, "prices", variant=variant.pk, currency="usd", amount="4")
        assert errors(client.post(ADD, values)) == {
            "prices-1-variant": ["The list already has a price for this variant, currency, quantities and region."]
        }
        assert not PriceSet.objects.exists()

    def test_a_price_of_another_page_is_compared_too(self):
        sale, variant, client = PriceListFactory(), VariantFactory(), superuser()
        for number in range(1, 27):
            price(variant, "5", price_list=sale, min_quantity=number)
        error = "The list already has a price for this variant, currency, quantities and region."
        values = row(sent(client, form_of(sale)), "prices", variant=variant.pk, currency="usd", amount="4")
        assert errors(client.post(form_of(sale), changed(values, **{"prices-25-min_quantity": "26"}))) == {
            "prices-25-variant": [error]
        }
        assert errors(client.post(form_of(sale), sent(client, form_of(sale), **{"prices-0-min_quantity": "26"}))) == {
            "prices-0-currency": [error]
        }

    def test_prices_that_other_rules_tell_apart_stand_beside_each_other(self):
        sale, variant, client = PriceListFactory(), VariantFactory(), superuser()
        for group in ("vip", "staff"):
            price(variant, "5", price_list=sale, rules={"customer.groups.id": group})
        values = row(sent(client, form_of(sale)), "prices", variant=variant.pk, currency="usd", amount="4")
        submit(client, form_of(sale), values)
        assert sale.prices.count() == 3

    def test_a_removed_rule_can_come_again(self):
        sale, client = PriceListFactory(rules={"region_id": ["a"]}), superuser()
        submit(client, form_of(sale), sent(client, form_of(sale), **{"rules-0-DELETE": "on"}))
        submit(client, form_of(sale), row(sent(client, form_of(sale)), "rules", attribute="region_id", value="b"))
        assert list(PriceListRule.objects.values_list("value", flat=True)) == [["b"]]

    def test_a_rule_that_was_added_meanwhile_is_reported_and_one_may_take_the_place_of_another(self):
        sale, client = PriceListFactory(), superuser()
        values = row(sent(client, form_of(sale)), "rules", attribute="region_id", value="b")
        PriceListRule.objects.create(price_list=sale, attribute="region_id", value=["a"])
        answer = client.post(form_of(sale), values)
        assert errors(answer)["rules-0-attribute"] == ["Another row has the same value."]
        values = row(sent(client, form_of(sale)), "rules", attribute="region_id", value="b")
        submit(client, form_of(sale), changed(values, **{"rules-0-DELETE": "on"}))
        assert list(PriceListRule.objects.values_list("value", flat=True)) == [["b"]]

    def test_activating_and_making_drafts(self):
        sale, client = PriceListFactory(status="draft"), superuser()
        chosen = {"_selected_action": [sale.pk]}
        asked = client.post(LIST, {"action": "activate_selected", **chosen}).content.decode()
        assert "Activate the selected price lists?" in asked
        assert PriceList.objects.get().status == "draft"
        chosen["post"] = "yes"
        assert reported(client.post(LIST, {"action": "activate_selected", **chosen})) == ["1 price list activated."]
        assert PriceList.objects.get().status == "active"
        client.post(LIST, {"action": "draft_selected", **chosen})
        assert PriceList.objects.get().status == "draft"
        assert history() == [(sale.title, 2), (sale.title, 2)]
        assert list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True)) == [
            "Status changed from draft to active.",
            "Status changed from active to draft.",
        ]


class TestLabels:
    def test_a_collections_handle_is_made_of_its_title(self):
        client = superuser()
        submit(client, f"{COLLECTIONS}add/", sent(client, f"{COLLECTIONS}add/", title="Summer Sale"))
        assert ProductCollection.objects.get().handle == "summer-sale"

    def test_taken_values_are_reported_and_those_of_deleted_ones_are_free(self):
        client, tag = superuser(), ProductTagFactory(value="new")
        values = sent(client, f"{TAGS}add/", value="new")
        assert errors(client.post(f"{TAGS}add/", values)) == {"value": ["Another product tag has this value."]}
        client.post(f"{TAGS}{tag.pk}/delete/", {"post": "yes"})
        submit(client, f"{TAGS}add/", values)
        assert ProductTag.objects.count() == 2
        answer = client.post(f"{TAGS}{tag.pk}/restore/", {"post": "yes"})
        assert reported(answer)[-1] == "new: Product tag with value: new already exists"

    def test_a_form_that_lost_a_race_is_asked_again(self, monkeypatch):
        client, found = superuser(), soft_deletion.is_taken
        ProductCollectionFactory(handle="new")
        answers = iter([False])
        monkeypatch.setattr(soft_deletion, "is_taken", lambda *given: next(answers, None) or found(*given))
        values = sent(client, f"{COLLECTIONS}add/", title="New")
        assert errors(client.post(f"{COLLECTIONS}add/", values)) == {
            "handle": ["Another product collection has this handle."]
        }


def test_the_list_is_saved_beside_prices_that_one_may_only_see() -> None:
    sale = PriceListFactory()
    price(VariantFactory(), 10, price_list=sale)
    client = visitor("catalog.view_pricelist", "catalog.change_pricelist", "catalog.view_price")
    submit(client, form_of(sale), sent(client, form_of(sale), title="Autumn"))
    sale.refresh_from_db()
    assert sale.title == "Autumn"
