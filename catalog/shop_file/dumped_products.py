"""Products as objects of the shop file, in batches with a constant number of statements each."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import islice

from catalog.former_handles import former_handles
from catalog.models import Product, ProductVariant
from catalog.shop_file.images import dumped_image
from catalog.shop_file.inventory import Stock
from catalog.shop_file.options import Options, dumped_options
from catalog.shop_file.part_rows import Images, VariantRows
from catalog.shop_file.prices import OwnPrices, dumped_price, region_names
from catalog.shop_file.variants import COLUMNS
from kit.editing.changes import BATCH
from kit.editing.children import Links
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from pictures.local_files import dumped_name
from shop.models import StockLocation

ONE = {"type": "value", "collection": "handle", "shipping_profile": "name"}
MANY = {"tags": "value", "categories": "handle", "sales_channels": "name"}


def dumped_products(columns: Collection[str]) -> Iterator[JSONObject]:
    """All products that are not deleted, ordered by id. columns: the columns that are written as they are."""
    regions = region_names()
    locations = dict(StockLocation.objects.not_deleted().values_list("pk", "name"))
    products = Product.objects.not_deleted().select_related(*ONE).order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(products, BATCH)):
        former = former_handles(Product, [product.pk for product in batch])
        parts = Parts([product.pk for product in batch], regions, locations)
        for product in batch:
            yield {
                "id": product.pk,
                **{name: getattr(product, name) for name in columns},
                "thumbnail": dumped_name(product.thumbnail),
                **_names_of_relations(product),
                "former_handles": [*former.get(product.pk, ())],
                **parts.of(product.pk),
                "created_at": isoformat(product.created_at),
            }


def _names_of_relations(product: Product) -> JSONObject:
    """The rows that the product refers to, by name. A field with a deleted row is left out, which means no change."""
    rows = {name: getattr(product, name) for name in ONE}
    return {
        name: row and getattr(row, ONE[name]) for name, row in rows.items() if row is None or row.deleted_at is None
    }


class Parts:
    """The parts of a batch of products."""

    def __init__(self, products: Sequence[str], regions: Mapping[str, str], locations: Mapping[str, str]) -> None:
        self._regions = regions
        self._locations = locations
        self._links = {name: _names(name, field, products) for name, field in MANY.items()}
        self._images = Images(products)
        self._options = Options(products)
        self._variants = VariantRows(products)
        rows = self._variants.all()
        ids = [row.pk for row in rows]
        self._values = Links(ProductVariant, "options", ids)
        self._prices = OwnPrices(rows)
        self._stock = Stock(ids)

    def of(self, product: str) -> JSONObject:
        """The parts of one product, as fields of its object."""
        ids = self._options.ids(product)
        words: dict[Hashable, tuple[str, str]] = {
            pk: (title, value) for title, by_value in ids.items() for value, pk in by_value.items()
        }
        return {
            **{name: [*links.get(product, ())] for name, links in self._links.items()},
            "images": [dumped_image(image) for image in self._images.of(product).values()],
            "options": dumped_options(ids),
            "variants": [self._variant(row, words) for row in self._variants.of(product).values()],
        }

    def _variant(self, variant: ProductVariant, words: Mapping[Hashable, tuple[str, str]]) -> JSONObject:
        prices = self._prices.of_owner(variant)
        return {
            "id": variant.pk,
            **{name: getattr(variant, name) for name in COLUMNS},
            "options": dict(sorted(words[key[0]] for key in self._values.of(variant.pk) if key[0] in words)),
            "prices": [dumped_price(price, self._prices.rules.get(price.pk, ()), self._regions) for price in prices],
            **self._inventory(variant),
            "created_at": isoformat(variant.created_at),
        }

    def _inventory(self, variant: ProductVariant) -> JSONObject:
        """The `inventory` field; left out if a file cannot represent the variant's stock."""
        if self._stock.fault(variant.pk, variant.sku):
            return {}
        quantities = self._stock.quantities(variant.pk)
        return {"inventory": {self._locations[pk]: count for pk, count in quantities.items() if pk in self._locations}}


def _names(field: str, name: str, products: Collection[str]) -> dict[str, list[str]]:
    """The sorted names of the rows that each product is linked to through the many-to-many field."""
    not_deleted = {f"{field}__isnull": False, f"{field}__deleted_at": None}
    links = Product.objects.filter(pk__in=products, **not_deleted).order_by()
    names: dict[str, list[str]] = {}
    for product, word in links.values_list("pk", f"{field}__{name}"):
        names.setdefault(product, []).append(word)
    return {product: sorted(words) for product, words in names.items()}
