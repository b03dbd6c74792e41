"""A shop whose staff, programs and customers write at random."""

import random
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import models, transaction

from catalog.models import (
    InventoryItem,
    InventoryLevel,
    Price,
    Product,
    ProductCategory,
    ProductImage,
    ProductOption,
    ProductTag,
    ProductVariant,
    Reservation,
)
from catalog.nested_writes import products as nested_writes
from catalog.prices import price_editing
from catalog.products import image_editing, labels, option_editing
from catalog.products.product_editing import details, duplication, variant_details
from catalog.stock import reservations
from catalog.stock.stock_batch import change_levels
from catalog.stock.stock_changes import StockChange, change_stock
from catalog.stock.variant_items import VERBS as ITEM_LINKS
from customers import address_book, address_editing, customer_editing, profile
from customers.models import Customer, CustomerAddress, CustomerGroup
from kit.domain.actor import SYSTEM
from kit.editing.batches import write_batch
from kit.errors import DomainError
from shop.models import Region, SalesChannel, StockLocation
from shop.regions import regions
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import AddressFactory, CustomerFactory, CustomerGroupFactory
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory
from tests.factories.pricing import price
from tests.factories.products import ImageFactory, OptionFactory, ProductTagFactory, VariantFactory
from tests.factories.shop import RegionFactory, SalesChannelFactory

SIZES = ("S", "M", "L", "XL")
COUNTRIES = ("de", "fr", "it", "us", "ca", "jp")


class BusyShop:
    """A few rows of each kind; `write` makes one random change by the verbs of staff, programs and customers.

    No verb comes again before all others have come, so that a short walk has them, too.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.made = 0
        self.verbs = self._shuffled()
        self.done: set[str] = set()
        """The verbs that were not refused each time."""
        for _ in range(3):
            option = OptionFactory(values=SIZES)
            ImageFactory(product=option.product)
            for value in option.values.all()[:2]:
                price(VariantFactory(product=option.product, options=[value]), 10)
            InventoryLevelFactory(stocked_quantity=50)
            RegionFactory()
            AddressFactory()
            for factory in (ProductTagFactory, CategoryFactory, SalesChannelFactory, CustomerGroupFactory):
                factory()
        StockLocationFactory()
        CustomerFactory(has_account=False)

    def write(self) -> str:
        """Verbs refuse what they must, such as a row that is in use; then nothing changes. Returns the verb."""
        name = next(self.verbs)
        with suppress(DomainError, ObjectDoesNotExist), transaction.atomic():
            getattr(self, name)()
            self.done.add(name)
        return name

    def _shuffled(self) -> Iterator[str]:
        while True:
            yield from self.random.sample(self.names(), len(self.names()))

    @classmethod
    def names(cls) -> list[str]:
        """The names of the verbs."""
        return [name for name in vars(cls) if name.startswith("do_")]

    def one(self, model: Any, *, deleted: bool = False) -> str:
        """The id of a row."""
        return self.random.choice(self.ids(model, deleted=deleted) or ["none"])

    def some(self, model: Any) -> list[str]:
        """The ids of up to two rows."""
        return self.random.sample(ids := self.ids(model), min(len(ids), self.random.randrange(3)))

    def ids(self, model: Any, *, deleted: bool = False) -> list[str]:
        rows: models.QuerySet[Any] = model.objects.filter(deleted_at__isnull=not deleted)
        return list(rows.order_by("pk").values_list("pk", flat=True))

    def text(self) -> str:
        self.made += 1
        return f"Text {self.made}"

    def do_create_product(self) -> None:
        amount, variants = self.random.randrange(1, 99), [{"title": self.text(), "options": {"Size": "S"}}]
        prices: list[dict[str, object]] = [{"currency_code": "usd", "amount": Decimal(amount)}]
        options = [{"title": "Size", "values": ["S", "M"]}]
        created = [
            {"title": self.text(), "options": options, "variants": [{**one, "prices": prices} for one in variants]}
        ]
        write_batch(nested_writes.VERBS, actor=SYSTEM, create=created, delete=self.some(Product)[:1])

    def do_change_products(self) -> None:
        changed = [{"id": key, "subtitle": self.text()} for key in self.some(Product)]
        write_batch(details.VERBS, actor=SYSTEM, update=changed)

    def do_link_product(self) -> None:
        links = {"tags": ProductTag, "categories": ProductCategory, "sales_channels": SalesChannel}
        name = self.random.choice([*links])
        details.VERBS.update(actor=SYSTEM, id=self.one(Product), **{name: self.some(links[name])})

    def do_duplicate_product(self) -> None:
        duplication.duplicate(actor=SYSTEM, product_id=self.one(Product))

    def do_delete_product(self) -> None:
        details.VERBS.delete(actor=SYSTEM, ids=[self.one(Product)])

    def do_restore_product(self) -> None:
        details.VERBS.restore(actor=SYSTEM, ids=[self.one(Product, deleted=True)])

    def do_create_variant(self) -> None:
        option = ProductOption.objects.get(pk=self.one(ProductOption))
        value = self.random.choice(list(option.values.filter(deleted_at=None).order_by("pk")))
        given = {"product_id": option.product_id, "title": self.text(), "options": [value.pk]}
        variant_details.VERBS.create(actor=SYSTEM, **given)

    def do_change_variant(self) -> None:
        changes = self.random.choice([{"sku": self.text()}, {"images": self.some(ProductImage)[:1]}])
        variant_details.VERBS.update(actor=SYSTEM, id=self.one(ProductVariant), **changes)

    def do_delete_variant(self) -> None:
        variant_details.VERBS.delete(actor=SYSTEM, ids=[self.one(ProductVariant)])

    def do_restore_variant(self) -> None:
        variant_details.VERBS.restore(actor=SYSTEM, ids=[self.one(ProductVariant, deleted=True)])

    def do_change_option(self) -> None:
        changes = self.random.choice([{"title": self.text()}, {"values": [*SIZES, self.text()]}])
        option_editing.VERBS.update(actor=SYSTEM, id=self.one(ProductOption), **changes)

    def do_add_image(self) -> None:
        image_editing.VERBS.create(
            actor=SYSTEM, product_id=self.one(Product), url=f"https://images.example/{self.made}"
        )

    def do_delete_image(self) -> None:
        image_editing.VERBS.delete(actor=SYSTEM, ids=[self.one(ProductImage)])

    def do_change_tag(self) -> None:
        labels.TAGS.update(actor=SYSTEM, id=self.one(ProductTag), value=self.text())

    def do_add_price(self) -> None:
        price_set = ProductVariant.objects.get(pk=self.one(ProductVariant)).price_set_id
        given = {"price_set_id": price_set, "currency_id": "eur", "amount": Decimal(self.random.randrange(1, 99))}
        rules = self.random.choice([{}, {("region_id", "eq"): self.one(Region)}])
        price_editing.VERBS.create(actor=SYSTEM, **given, rules=rules)

    def do_change_prices(self) -> None:
        amount = Decimal(self.random.randrange(1, 99))
        changed = [{"id": key, "amount": amount} for key in self.some(Price)]
        write_batch(price_editing.VERBS, actor=SYSTEM, update=changed)

    def do_delete_price(self) -> None:
        price_editing.VERBS.delete(actor=SYSTEM, ids=[self.one(Price)])

    def do_add_level(self) -> None:
        item, place = self.one(InventoryItem), self.one(StockLocation)
        if not InventoryLevel.objects.filter(inventory_item=item, location=place).exists():
            change_levels(actor=SYSTEM, create=[StockChange(item, place, stocked_quantity=9)])

    def do_move_stock(self) -> None:
        level = InventoryLevel.objects.get(pk=self.one(InventoryLevel))
        change = self.random.choice([{"adjust_by": 3}, {"adjust_by": -2}, {"incoming_quantity": self.made}])
        change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, **change)])

    def do_reserve(self) -> None:
        level = InventoryLevel.objects.get(pk=self.one(InventoryLevel))
        place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
        reservations.VERBS.create(actor=SYSTEM, **place, quantity=1)

    def do_release(self) -> None:
        reservations.VERBS.delete(actor=SYSTEM, ids=[self.one(Reservation)])

    def do_link_item(self) -> None:
        given = {"variant_id": self.one(ProductVariant), "inventory_item_id": self.one(InventoryItem)}
        ITEM_LINKS.create(actor=SYSTEM, **given, required_quantity=1)

    def do_create_customer(self) -> None:
        self.made += 1
        customer_editing.VERBS.create(actor=SYSTEM, email=f"c{self.made}@example.com", groups=self.some(CustomerGroup))

    def do_change_customer(self) -> None:
        changes: dict[str, Any] = self.random.choice([{"phone": self.text()}, {"groups": self.some(CustomerGroup)}])
        customer_editing.VERBS.update(actor=SYSTEM, id=self.one(Customer), **changes)

    def do_change_profile(self) -> None:
        profile.change_details(actor=SYSTEM, customer_id=self.one(Customer), first_name=self.text())

    def do_delete_customer(self) -> None:
        customer_editing.VERBS.delete(actor=SYSTEM, ids=[self.one(Customer)])

    def do_add_address(self) -> None:
        given: dict[str, Any] = {"city": self.text(), "is_default_shipping": self.random.random() < 0.5}
        address_book.add_address(actor=SYSTEM, customer_id=self.one(Customer), **given)

    def do_change_address(self) -> None:
        address_editing.VERBS.update(actor=SYSTEM, id=self.one(CustomerAddress), is_default_billing=True)

    def do_delete_address(self) -> None:
        address = CustomerAddress.objects.get(pk=self.one(CustomerAddress))
        address_book.remove_address(actor=SYSTEM, customer_id=address.customer_id, address_id=address.pk)

    def do_create_region(self) -> None:
        regions.VERBS.create(actor=SYSTEM, name=self.text(), currency_id="eur", countries=[])

    def do_move_countries(self) -> None:
        countries = self.random.sample(COUNTRIES, 2)
        if len(regions_left := self.ids(Region)) < 2:
            return
        first, second = self.random.sample(regions_left, 2)
        states = [regions.VERBS.state(id=first, countries=countries), regions.VERBS.state(id=second, countries=[])]
        regions.VERBS.put(actor=SYSTEM, states=states)

    def do_change_region(self) -> None:
        regions.VERBS.update(actor=SYSTEM, id=self.one(Region), name=self.text())

    def do_delete_region(self) -> None:
        regions.VERBS.delete(actor=SYSTEM, ids=[self.one(Region)])
