"""Filling a price list with reduced prices."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from catalog.models import Price, PriceList
from catalog.prices import price_reduction
from kit.errors import Forbidden, InvalidData
from tests.catalog.admin.test_price_list_admin import ADD, form_of
from tests.factories.actors import staff_actor
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import reported, superuser

pytestmark = pytest.mark.django_db
STAFF = staff_actor("catalog.add_price", "catalog.change_price")


def reduce(sale: PriceList, *products: Any, percent: str = "10") -> int:
    ids = [product.pk for product in products]
    return price_reduction.reduce(actor=STAFF, price_list_id=sale.pk, product_ids=ids, percent=Decimal(percent))


def listed(sale: PriceList) -> list[tuple[Any, ...]]:
    """The prices of the list."""
    prices = Price.objects.not_deleted().filter(price_list=sale)
    prices = prices.order_by("currency", "amount", F("min_quantity").asc(nulls_first=True))
    return [(one.currency_id, one.amount, one.min_quantity, [str(rule) for rule in one.rules.all()]) for one in prices]


def test_each_price_is_reduced_and_rounded_with_its_quantities_and_rules() -> None:
    tea, europe, sale = VariantFactory(), RegionFactory(currency_id="eur"), PriceListFactory()
    price(tea, "12.95")
    price(tea, "11", min_quantity=5)
    price(tea, "10", "eur", region=europe)
    price(tea, "1995", "jpy")
    price(tea, "1", price_list=PriceListFactory())
    price(VariantFactory(), "50")
    assert reduce(sale, tea.product) == 4
    assert listed(sale) == [
        ("eur", Decimal(9), None, [f"region_id eq {europe.pk}"]),
        ("jpy", Decimal(1796), None, []),
        ("usd", Decimal("9.9"), 5, []),
        ("usd", Decimal("11.66"), None, []),
    ]


def test_prices_that_the_list_has_are_changed() -> None:
    tea, sale = VariantFactory(), PriceListFactory()
    price(tea, "20")
    mine = price(tea, "19", price_list=sale)
    more = price(tea, "15", price_list=sale, min_quantity=10)
    assert reduce(sale, tea.product, percent="25") == 1
    assert listed(sale) == [("usd", Decimal(15), None, []), ("usd", Decimal(15), 10, [])]
    assert {one.pk for one in Price.objects.filter(price_list=sale)} == {mine.pk, more.pk}


def test_no_product_means_all() -> None:
    sale = PriceListFactory()
    for amount in (10, 20):
        price(VariantFactory(), amount)
    assert reduce(sale) == 2
    assert [amount for _, amount, _, _ in listed(sale)] == [Decimal(9), Decimal(18)]


@pytest.mark.parametrize("percent", ["0", "100", "-1"])
def test_a_percentage_is_above_0_and_below_100(percent: str) -> None:
    price(VariantFactory(), 10)
    with pytest.raises(InvalidData, match="above 0 and below 100"):
        reduce(PriceListFactory(), percent=percent)


def test_there_must_be_prices_but_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidData, match="no prices"):
        reduce(PriceListFactory(), ProductFactory())
    for amount in (10, 20):
        price(VariantFactory(), amount)
    monkeypatch.setattr(price_reduction, "MOST_PRICES", 1)
    with pytest.raises(InvalidData, match="At most 1 prices"):
        reduce(PriceListFactory())


def test_the_number_of_statements_does_not_depend_on_that_of_prices() -> None:
    europe, numbers = RegionFactory(currency_id="eur"), []
    for count in (2, 30):
        product, sale = ProductFactory(), PriceListFactory()
        for amount in range(10, 10 + count):
            price(VariantFactory(product=product), amount, region=europe)
        with CaptureQueriesContext(connection) as statements:
            assert reduce(sale, product) == count
        numbers.append(len(statements))
    assert numbers[0] == numbers[1] <= 16


def test_it_takes_the_permissions_of_prices() -> None:
    price(VariantFactory(), 10)
    with pytest.raises(Forbidden):
        price_reduction.reduce(
            actor=staff_actor(), price_list_id=PriceListFactory().pk, product_ids=(), percent=Decimal(10)
        )


class TestTheForm:
    def test_a_sale_is_made_in_one_step(self) -> None:
        tea, mug, client = VariantFactory(), VariantFactory(), superuser()
        price(tea, "20")
        price(mug, "30")
        values = sent(client, ADD, title="Spring", status="active", reduce_by="10", products=[tea.product_id])
        assert "1 price reduced by 10%." in reported(submit(client, ADD, values))
        assert listed(PriceList.objects.get()) == [("usd", Decimal(18), None, [])]

    def test_prices_are_added_to_a_stored_list(self) -> None:
        sale, client = PriceListFactory(), superuser()
        price(VariantFactory(), "20")
        submit(client, form_of(sale), sent(client, form_of(sale), reduce_by="12.5"))
        assert listed(sale) == [("usd", Decimal("17.5"), None, [])]
        submit(client, form_of(sale), sent(client, form_of(sale)))
        assert listed(sale) == [("usd", Decimal("17.5"), None, [])]

    @pytest.mark.parametrize(
        ("given", "at"),
        [
            ({"reduce_by": "100"}, "reduce_by"),
            ({"reduce_by": "0"}, "reduce_by"),
            ({"reduce_by": "a lot"}, "reduce_by"),
            ({"reduce_by": "10", "products": ["prod_unknown"]}, "products"),
            ({"reduce_by": "10"}, ""),
        ],
    )
    def test_an_error_stands_at_its_field_and_nothing_is_saved(self, given: dict[str, Any], at: str) -> None:
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, title="Spring", **given))
        assert list(errors(answer)) == [at]
        assert not PriceList.objects.exists()

    def test_products_need_a_percentage(self) -> None:
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, title="Spring", products=[ProductFactory().pk]))
        assert errors(answer) == {"reduce_by": ["Enter a percentage to reduce the prices of these products."]}

    def test_users_with_view_permission_do_not_see_the_fields(self, client: Any) -> None:
        client.force_login(UserFactory(permissions=["catalog.view_pricelist"]))
        page = client.get(form_of(PriceListFactory())).content.decode()
        assert "Title" in page
        assert "Reduce" not in page
