"""Generated products, as rows of their tables: realistic in size and number, the same ones each time."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from catalog import models
from catalog.states import ProductStatus

FIRST_MOMENT = datetime(2024, 1, 1)  # noqa: DTZ001 - written as text, UTC
VALUES = {"Size": ("Small", "Medium", "Large"), "Colour": ("Black", "White")}
VARIANTS = (("Small", "Black"), ("Medium", "Black"), ("Large", "White"))
COMMON = """soft light warm durable made of with for every day and night classic modern fit easy care long short wide
natural quality comfortable recycled cotton wool steel design ideal home travel sport work a the in on by""".split()

Row = tuple[Any, ...]
COLUMNS: dict[Any, tuple[str, ...]] = {
    models.Product: (
        *("id", "title", "handle", "subtitle", "description", "status", "thumbnail", "weight", "material"),
        *("type_id", "collection_id", "metadata", "created_at"),
    ),
    models.Product.sales_channels.through: ("product_id", "saleschannel_id"),
    models.Product.categories.through: ("product_id", "productcategory_id"),
    models.Product.tags.through: ("product_id", "producttag_id"),
    models.ProductImage: ("id", "url", "rank", "product_id"),
    models.ProductOption: ("id", "title", "product_id"),
    models.ProductOptionValue: ("id", "value", "option_id"),
    models.PriceSet: ("id",),
    models.ProductVariant: ("id", "title", "sku", "variant_rank", "product_id", "price_set_id", "created_at"),
    models.ProductVariant.options.through: ("productvariant_id", "productoptionvalue_id"),
    models.ProductVariant.images.through: ("productvariant_id", "productimage_id"),
    models.Price: ("id", "price_set_id", "currency_code", "amount", "price_list_id"),
    models.PriceRule: ("id", "price_id", "attribute", "operator", "value"),
    models.InventoryItem: ("id", "sku"),
    models.VariantInventoryItem: ("id", "variant_id", "inventory_item_id"),
    models.InventoryLevel: ("id", "inventory_item_id", "location_id", "stocked_quantity", "reserved_quantity"),
    models.StockMovement: ("id", "level_id", "reason", "stocked_before", "stocked_after"),
    models.Reservation: ("id", "inventory_item_id", "location_id", "quantity"),
}


def vocabulary(size: int) -> list[str]:
    """Different words that could be names of things."""
    dice = random.Random(size)  # noqa: S311 - a shape, not a secret
    words: dict[str, None] = {}
    while len(words) < size:
        syllables = [dice.choice("bdfgklmnprstv") + dice.choice("aeiou") for _ in range(dice.choice((2, 3, 3, 4)))]
        words["".join(syllables)] = None
    return list(words)


WORDS = vocabulary(3000)


def identifier(prefix: str, number: int) -> str:
    """An id of its usual length; higher numbers sort later."""
    return f"{prefix}_01BENCH{number:019d}"


@dataclass(frozen=True)
class Shop:
    """What products refer to, by ids. elsewhere: a channel that is not asked for. sale: a price list."""

    channel: str
    elsewhere: str
    region: str
    sale: str
    locations: Sequence[str]
    types: Sequence[str]
    collections: Sequence[str]
    tags: Sequence[str]
    categories: Sequence[str]


class ProductRows:
    """The product of a number and everything that belongs to it.

    One in twenty is a draft, another is sold elsewhere alone; of the variants one in twenty is in the sale, another has
    a price for the region.
    """

    def __init__(self, number: int, shop: Shop) -> None:
        self._number = number
        self._shop = shop
        self._dice = random.Random(number)  # noqa: S311 - a shape, not a secret
        self._id = identifier("prod", number)
        self._made = str(FIRST_MOMENT + timedelta(minutes=number, milliseconds=number % 997 + 1))
        self._values: dict[str, str] = {}

    def __iter__(self) -> Iterator[tuple[Any, Row]]:
        yield models.Product, self._product()
        yield from self._groups()
        yield from self._images()
        yield from self._options()
        for rank, names in enumerate(VARIANTS):
            yield from self._variant(self._number * len(VARIANTS) + rank, rank, names)

    def _product(self) -> Row:
        dice = self._dice
        title = dice.sample(WORDS, 4)
        texts = (" ".join(title).capitalize(), f"{'-'.join(title)}-{self._number}", f"{title[3]} {title[0]}")
        description = " ".join(dice.choices(COMMON, k=52) + title[:2])
        status = ProductStatus.DRAFT if self._number % 20 == 9 else ProductStatus.PUBLISHED
        thumbnail, weight, material = _picture(self._number, 0), 100.0 + self._number % 900, dice.choice(COMMON)
        groups = (dice.choice(self._shop.types), dice.choice(self._shop.collections))
        return (
            *(self._id, *texts, description, status, thumbnail, weight, material),
            *(*groups, f'{{"number": {self._number}}}', self._made),
        )

    def _groups(self) -> Iterator[tuple[Any, Row]]:
        shop, both = self._shop, self._number % 3 == 0
        channels = [shop.channel, shop.elsewhere] if both else [shop.channel]
        for channel in [shop.elsewhere] if self._number % 20 == 19 else channels:
            yield models.Product.sales_channels.through, (self._id, channel)
        for category in self._dice.sample(shop.categories, self._dice.randint(1, 3)):
            yield models.Product.categories.through, (self._id, category)
        for tag in self._dice.sample(shop.tags, 2):
            yield models.Product.tags.through, (self._id, tag)

    def _images(self) -> Iterator[tuple[Any, Row]]:
        for rank in range(2):
            image = identifier("img", self._number * 2 + rank)
            yield models.ProductImage, (image, _picture(self._number, rank), rank, self._id)

    def _options(self) -> Iterator[tuple[Any, Row]]:
        for place, (title, names) in enumerate(VALUES.items()):
            option = identifier("opt", self._number * len(VALUES) + place)
            yield models.ProductOption, (option, title, self._id)
            for name in names:
                self._values[name] = identifier("optval", self._number * 5 + len(self._values))
                yield models.ProductOptionValue, (self._values[name], name, option)

    def _variant(self, number: int, rank: int, names: Sequence[str]) -> Iterator[tuple[Any, Row]]:
        variant, price_set, sku = identifier("variant", number), identifier("pset", number), f"SKU-{number:07d}"
        yield models.PriceSet, (price_set,)
        columns = (variant, " / ".join(names), sku, rank, self._id, price_set, self._made)
        yield models.ProductVariant, columns
        for name in names:
            yield models.ProductVariant.options.through, (variant, self._values[name])
        yield models.ProductVariant.images.through, (variant, identifier("img", self._number * 2 + rank % 2))
        yield from self._prices(number, price_set)
        yield from self._stock(number, variant, sku)

    def _prices(self, number: int, price_set: str) -> Iterator[tuple[Any, Row]]:
        cents = self._dice.randint(500, 20_000)
        prices: list[tuple[str, int, str | None]] = [("eur", cents, None), ("usd", cents * 11 // 10, None)]
        if number % 20 == 0:
            prices.append(("eur", cents * 8 // 10, self._shop.sale))
        if number % 20 == 7:
            prices.append(("eur", cents * 9 // 10, None))
            rule = (identifier("prule", number), identifier("price", number * 3 + 2), "region_id", "eq")
            yield models.PriceRule, (*rule, self._shop.region)
        for place, (currency, each, price_list) in enumerate(prices):
            yield models.Price, (identifier("price", number * 3 + place), price_set, currency, each * 100, price_list)

    def _stock(self, number: int, variant: str, sku: str) -> Iterator[tuple[Any, Row]]:
        item = identifier("iitem", number)
        yield models.InventoryItem, (item, sku)
        yield models.VariantInventoryItem, (identifier("pvitem", number), variant, item)
        for place, location in enumerate(self._shop.locations):
            level_number = number * 2 + place
            level, stocked, is_reserved = identifier("ilev", level_number), self._dice.randint(0, 100), number % 7 == 0
            yield models.InventoryLevel, (level, item, location, stocked, int(is_reserved))
            if stocked:
                yield models.StockMovement, (identifier("smov", level_number), level, "opening", 0, stocked)
            if is_reserved:
                yield models.Reservation, (identifier("resitem", level_number), item, location, 1)


def _picture(number: int, rank: int) -> str:
    return f"https://shop.example/media/{number}-{rank}.jpg"
