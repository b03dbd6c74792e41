import copy
from typing import Any

import pytest

from catalog.models import InventoryItem, Product, ProductVariant, VariantInventoryItem
from catalog.rule_attributes import OF_BUYERS
from kit.domain import soft_deletion
from kit.values.timestamps import now
from shop.models import StockLocation
from tests.conftest import MakeOnce
from tests.operations.shop_file_runs import ShopFiles
from tests.operations.tea_shop import BLACK, GREEN, SALE, SENCHA, shop, with_sencha

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]


@pytest.fixture(scope="module")
def loaded(make_once: MakeOnce, tmp_path_factory: pytest.TempPathFactory) -> None:
    make_once(lambda: ShopFiles(tmp_path_factory.mktemp("shop")).load(shop()))


@pytest.fixture
def tea(loaded: None, files: ShopFiles) -> ShopFiles:
    return files


def price(**fields: Any) -> dict[str, Any]:
    return {"currency_code": "eur", "amount": 1, **fields}


def variants(*changes: dict[str, Any]) -> dict[str, Any]:
    """A file of Sencha with Green and Black, changed so."""
    return with_sencha(variants=[{**one, **change} for one, change in zip((GREEN, BLACK), changes, strict=False)])


def with_bowl(*variants: dict[str, Any]) -> dict[str, Any]:
    """A file of a new product with an option."""
    bowl = {"title": "Bowl", "options": [{"title": "Glaze", "values": ["Sand", "Ash"]}], "variants": list(variants)}
    return {"products": [bowl]}


FIRST = "products[0].variants[0]"
SECOND = "products[0].variants[1]"
LEFT = "products[0].options: the variant 'SENCHA-50-B', which the file does not change,"


@pytest.mark.parametrize(
    ("file", "problems"),
    [
        ({"products": [{"subtitle": "x"}]}, ["products[0].handle: is required"]),
        ({"products": [{"handle": "new"}]}, ["products[0].title: is required"]),
        ({"products": [{"title": "!"}]}, ["products[0].handle: is required"]),
        (with_sencha(colour="green"), ["products[0].colour: unknown field"]),
        (
            with_sencha(status="sold"),
            ['products[0].status: expected draft or proposed or published or rejected, got "sold"'],
        ),
        (with_sencha(weight=-1), ["products[0].weight: expected a number from 0 up, got -1"]),
        (with_sencha(type="Moon"), ["products[0].type: there is no product type 'Moon'"]),
        (with_sencha(collection="Moon"), ["products[0].collection: there is no product collection 'Moon'"]),
        (with_sencha(tags=["new", "old"]), ["products[0].tags[1]: there is no product tag 'old'"]),
        (with_sencha(categories=["no"]), ["products[0].categories[0]: there is no product category 'no'"]),
        (with_sencha(sales_channels=["no"]), ["products[0].sales_channels[0]: there is no sales channel 'no'"]),
        (with_sencha(shipping_profile="no"), ["products[0].shipping_profile: there is no shipping profile 'no'"]),
        (with_sencha(images=["/media/a", "/media/b", "/media/a"]), ["products[0].images[2]: '/media/a' is repeated"]),
        (with_sencha(images=[5]), ["products[0].images[0]: expected a text or an object, got 5"]),
        (
            {"products": [{"title": "Sencha Asamushi"}, {"handle": "sencha-asamushi"}]},
            ["products[1]: 'sencha-asamushi' already appears at products[0]"],
        ),
    ],
)
def test_of_products(tea: ShopFiles, file, problems):
    assert tea.refused(file) == problems


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([{"title": "Size", "values": ["50 g", 5]}], "[0].values[1]: expected a text, got 5"),
        ([{"title": "Size", "values": [""]}], "[0].values[0]: must not be blank"),
        ([{"title": "Size"}], "[0].values: is required"),
        ([*SENCHA["options"], {"title": "Tin", "values": ["Red"]}], "[2].title: 'Tin' is repeated"),
        ([{"title": "Size", "values": ["50 g", "50 g"]}, SENCHA["options"][1]], "[0].values[1]: '50 g' is repeated"),
    ],
)
def test_of_options(tea: ShopFiles, options, problem):
    assert f"products[0].options{problem}" in tea.refused(with_sencha(options=options))


@pytest.mark.parametrize(
    ("file", "problems"),
    [
        (variants({"options": {"Size": "1 kg", "Tin": "Green"}}), [
            f"{FIRST}.options.Size: the product's option 'Size' has no value '1 kg'",
            f"{FIRST}.options: has no value for the option 'Size'",
        ]),
        (variants({"options": {"Size": "50 g", "Tin": "Green", "Leaf": "Big"}}), [
            f"{FIRST}.options.Leaf: the product has no option 'Leaf'"
        ]),
        (variants({"options": {"Size": "50 g"}}), [f"{FIRST}.options: has no value for the option 'Tin'"]),
        (variants({}, {"options": GREEN["options"]}), [
            f"{SECOND}.options: has the same option values as {FIRST}.options"
        ]),
        (variants({"options": BLACK["options"]}), [
            f"{LEFT} has the same option values as {FIRST}.options"
        ]),
        (with_sencha(variants=[{"title": "New"}]), [f"{FIRST}.options: has no value for the option 'Size'"]),
        ({"products": [{"handle": "cup", "variants": [{"title": "Saucer"}]}]}, [
            f"{LEFT.replace('SENCHA-50-B', 'Cup')} has the same option values as {FIRST}.options"
        ]),
        (with_sencha(options=[SENCHA["options"][0], {"title": "Tin", "values": ["Green"]}], variants=[GREEN]), [
            f"{LEFT} has no value for the option 'Tin'"
        ]),
    ],
)  # fmt: skip
def test_of_what_variants_select(tea: ShopFiles, file, problems):
    assert tea.refused(file) == problems


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ({"products": [{"title": "Bowl", "variants": [{"sku": "NEW"}]}]}, f"{FIRST}.title: is required"),
        (with_sencha(variants=[{"title": "A", "sku": ""}]), f"{FIRST}.sku: must not be blank"),
        (with_sencha(variants=[GREEN, {**BLACK, "barcode": GREEN["barcode"]}]),
            f"{SECOND}.barcode: '4006381333931' already appears at {FIRST}"),
        (with_sencha(variants=[{**BLACK, "ean": GREEN["ean"]}]), f"{FIRST}.ean: '4006381333931' belongs to GREEN"),
        (with_sencha(variants=[GREEN, GREEN]), f"{SECOND}: already appears at {FIRST}"),
        ({"products": [{"title": "Bowl", "variants": [{"title": "Other", "sku": "SENCHA-50"}]}]},
            f"{FIRST}.sku: 'SENCHA-50' belongs to GREEN"),
        (with_bowl({"title": "New", "options": {"Glaze": "Sand"}}, {"title": "New", "options": {"Glaze": "Ash"}}),
            f"{SECOND}: already appears at {FIRST}"),
        ({"products": [{"title": "Bowl", "variants": [{"title": "New", "id": "GREEN"}]}]},
            f"{FIRST}.id: belongs to a row that is deleted or has another parent"),
    ],
)  # fmt: skip
def test_of_what_variants_are_called(tea: ShopFiles, file, problem):
    """GREEN is replaced by the id of that variant."""
    pk = ProductVariant.objects.get(sku="SENCHA-50").pk
    for variant in file["products"][0]["variants"]:
        variant.update({"id": pk} if variant.get("id") == "GREEN" else {})
    assert tea.refused(file) == [problem.replace("GREEN", pk)]


@pytest.mark.parametrize(
    ("prices", "problem"),
    [
        ([price(), price(amount="ten")], '[1].amount: expected a number, got "ten"'),
        ([{"currency_code": "eur"}], "[0].amount: is required"),
        ([{"amount": 1}], "[0].currency_code: is required"),
        ([price(currency_code="abc")], "[0].currency_code: 'abc' is not an ISO 4217 currency code"),
        ([price(amount=-1)], "[0].amount: expected a number from 0 to 100000000000"),
        ([price(amount=1.005)], "[0].amount: Value for field 'amount' has more than 2 decimals of eur"),
        ([price(currency_code="jpy", amount=1.5)],
            "[0].amount: Value for field 'amount' has more than 0 decimals of jpy"),
        ([price(min_quantity=5, max_quantity=4)], "[0].max_quantity: is below the min_quantity of 5"),
        ([price(min_quantity=1.5)], "[0].min_quantity: expected a whole number from 0 up, got 1.5"),
        ([price(region="Moon")], "[0].region: there is no region 'Moon'"),
        ([price(), price(currency_code="EUR", amount=2)],
            f"[1]: has the same currency, quantities and rules as {FIRST}.prices[0]"),
        ([price(region="Europe"), price(region="Europe")],
            f"[1]: has the same currency, quantities and rules as {FIRST}.prices[0]"),
        ([price(rules=[{"attribute": "region_id", "operator": "like", "value": "b"}])],
            '[0].rules[0].operator: expected eq or gt or gte or lt or lte, got "like"'),
        ([price(rules=[{"attribute": "item_total", "operator": "gte", "value": "100"}])],
            f'[0].rules[0].attribute: expected {" or ".join(OF_BUYERS)}, got "item_total"'),
        ([price(rules=[{"attribute": "region_id", "operator": "gt", "value": "b"}])],
            "[0].rules[0].operator: must be eq for region_id, which is a text"),
        ([price(rules=[{"attribute": "region_id", "operator": "eq", "value": v} for v in "bc"])],
            "[0].rules[1]: has the same attribute and operator as another rule of the price"),
    ],
)  # fmt: skip
def test_of_prices(tea: ShopFiles, prices, problem):
    assert tea.refused(with_sencha(variants=[{**GREEN, "prices": prices}])) == [f"{FIRST}.prices{problem}"]


@pytest.mark.parametrize(
    ("stock", "problem"),
    [
        ({"inventory": {"Moon": 1}}, "inventory.Moon: there is no stock location 'Moon'"),
        ({"inventory": {"Dock": -1}}, "inventory.Dock: expected a whole number from 0 up, got -1"),
        ({"inventory": [1]}, "inventory: expected an object, got a list"),
        (
            {"inventory_quantity": 1},
            "inventory_quantity: the shop has 2 stock locations; name the location by inventory",
        ),
        (
            {"inventory": {"Dock": 1}, "inventory_quantity": 1},
            "inventory_quantity: cannot be given together with inventory",
        ),
    ],
)
def test_of_stock(tea: ShopFiles, stock, problem):
    black = {name: value for name, value in BLACK.items() if name != "inventory"}
    assert tea.refused(with_sencha(variants=[{**black, **stock}])) == [f"{FIRST}.{problem}"]


def test_of_stock_that_several_items_make_up(tea: ShopFiles):
    variant = ProductVariant.objects.get(sku="SENCHA-50")
    VariantInventoryItem.objects.create(variant=variant, inventory_item=InventoryItem.objects.create(sku="TIN"))
    expected = f"{FIRST}.inventory: the variant has several inventory items"
    assert tea.refused(with_sencha(variants=[GREEN])) == [expected]
    assert "inventory" not in tea.dump()["products"][0]["variants"][0]


@pytest.mark.parametrize("field", ["inventory", "inventory_quantity"])
def test_of_stock_that_several_variants_share(tea: ShopFiles, field):
    item = InventoryItem.objects.get(sku="SENCHA-50")
    cup = ProductVariant.objects.get(product__handle="cup")
    VariantInventoryItem.objects.filter(variant=cup).update(inventory_item=item)
    if field == "inventory_quantity":
        StockLocation.objects.filter(name="Attic").update(deleted_at=now())
    stock = {"inventory": {"Dock": 12}} if field == "inventory" else {"inventory_quantity": 12}
    expected = f"{FIRST}.{field}: other variants have the same inventory item"
    green = {name: value for name, value in GREEN.items() if name != "inventory"}
    assert tea.refused(with_sencha(variants=[{**green, **stock}])) == [expected]
    assert [one["title"] for one in tea.dump()["products"] if "inventory" in one["variants"][0]] == []


def test_of_stock_that_another_variant_has_under_the_sku(tea: ShopFiles):
    ProductVariant.objects.filter(product__handle="cup").update(sku=None)
    VariantInventoryItem.objects.filter(variant__product__handle="cup").update(
        inventory_item=InventoryItem.objects.create(sku="POT")
    )
    pot = {"title": "Pot", "variants": [{"title": "Pot", "sku": "POT", "inventory": {"Dock": 1}}]}
    assert tea.refused({"products": [pot]}) == [f"{FIRST}.inventory: other variants have the same inventory item"]


def test_of_stock_of_which_a_piece_takes_several(tea: ShopFiles):
    VariantInventoryItem.objects.filter(variant__sku="SENCHA-50").update(required_quantity=3)
    expected = f"{FIRST}.inventory: one piece of the variant requires 3 of its inventory item"
    assert tea.refused(with_sencha(variants=[GREEN])) == [expected]
    assert "inventory" not in tea.dump()["products"][0]["variants"][0]


def test_of_stock_of_a_deleted_item(tea: ShopFiles):
    soft_deletion.delete(InventoryItem.objects.get(sku="SENCHA-50"))
    expected = f"{FIRST}.inventory: the inventory item of the variant is deleted"
    assert tea.refused(with_sencha(variants=[GREEN])) == [expected]
    assert "inventory" not in tea.dump()["products"][0]["variants"][0]


def test_of_deleted_rows(tea: ShopFiles):
    Product.objects.filter(handle="cup").update(deleted_at=now())
    StockLocation.objects.filter(name="Attic").update(deleted_at=now())
    problems = tea.refused(with_sencha(id=Product.objects.get(handle="cup").pk, handle="cup-2"))
    assert problems[0] == f"{FIRST}.inventory.Attic: there is no stock location 'Attic'"


def test_all_problems_of_a_file_are_reported_and_none_twice(tea: ShopFiles):
    broken = copy.deepcopy(with_sencha(variants=[{**GREEN, "prices": [price(amount="ten")], "barcode": 5}, BLACK]))
    broken["price_lists"] = [{**SALE, "prices": [{"sku": "SENCHA-50-NEW", **price()}]}]
    broken["products"].append({"title": "New", "variants": [{"title": "x", "sku": "SENCHA-50-NEW", "upc": []}]})
    assert tea.refused(broken) == [
        f"{FIRST}.barcode: expected a text, got 5",
        f'{FIRST}.prices[0].amount: expected a number, got "ten"',
        "products[1].variants[0].upc: expected a text, got a list",
        "price_lists[0].prices[0].sku: there is no product variant 'SENCHA-50-NEW'",
    ]
