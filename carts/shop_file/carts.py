"""The shop file's carts: those that are still open."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from django.db.models import Prefetch

from carts.details import creation
from carts.details.addresses import check_country, checked_address, write_address
from carts.details.details import checked_email
from carts.details.sales_channels import move_to_channel
from carts.lines.lines import NewLineItem, add_items, remove_line
from carts.models import Cart, CartAddress, LineItem
from carts.pricing.cart_rows import LineRow
from carts.pricing.locked_cart import LockedCart, lock_open_cart
from carts.pricing.refreshing import refresh
from catalog.models import ProductVariant
from catalog.prices import price_context
from catalog.shop_file.products import SKUS
from customers.models import Customer
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.shop_file.references import Named, Target
from kit.shop_file.sections import Section
from kit.shop_file.values import Entry, Integer, Metadata, Object, Objects, Text, Value
from kit.values.json import JSONObject
from kit.values.metadata import same
from kit.values.timestamps import isoformat, now
from kit.writes import raw_rows
from shop.models import Store
from shop.models.addresses import ADDRESS_TEXTS
from shop.shop_file.targets import CHANNELS, REGIONS

CUSTOMERS = Target(Customer, "email", "customers")
VARIANTS = Target(ProductVariant, "sku", SKUS)
ADDRESS: Mapping[str, Value] = {**{name: Text(nullable=True) for name in ADDRESS_TEXTS}, "metadata": Metadata()}
PLACES = ("shipping_address", "billing_address")


class Carts(Section):
    """Carts by their ids. Lines that a cart's list does not name are removed; prices are the current ones."""

    key = "carts"
    prefix = "cart"
    fields: ClassVar[Mapping[str, Value]] = {
        "region": Named(target=REGIONS),
        "sales_channel": Named(target=CHANNELS),
        "email": Text(nullable=True),
        "customer": Named(target=CUSTOMERS, nullable=True),
        **{name: Object(fields=ADDRESS) for name in PLACES},
        "items": Objects(
            fields={
                "variant": Named(target=VARIANTS, required=True),
                "quantity": Integer(required=True),
                "metadata": Metadata(),
            }
        ),
        "metadata": Metadata(),
    }

    def load_batch(self, entries: Sequence[Entry]) -> None:
        stored = set(
            Cart.objects.filter(pk__in=[entry.given.get("id") for entry in entries]).values_list("pk", flat=True)
        )
        for entry in entries:
            self.require(entry, "id")
            if not entry.is_sound:
                continue
            try:
                if entry.given["id"] in stored:
                    self._change(entry)
                else:
                    self._make(entry)
                    stored.add(entry.given["id"])
            except DomainError as error:
                self.refuse(entry, error.message)

    def _make(self, entry: Entry) -> None:
        given = entry.given
        region = price_context.find(region_id=given["region"]) if "region" in given else price_context.of_store()
        if region is None:
            self.refuse(entry, "is required", field="region")
            return
        cart = creation.make(
            region=region,
            sales_channel_id=given.get("sales_channel") or _default_channel(),
            cart_id=given["id"],
            customer_id=given.get("customer"),
            email=checked_email(given.get("email")),
            metadata=given.get("metadata"),
            **{name: given[name].given for name in PLACES if name in given},
        )
        add_items(cart, _items(entry))
        refresh(cart)
        if "created_at" in given:
            raw_rows.update(Cart, [{"id": cart.id, "created_at": given["created_at"]}])
        self.counts.created += 1

    def _change(self, entry: Entry) -> None:
        cart = lock_open_cart(actor=SYSTEM, cart_id=entry.given["id"])
        columns, addresses = _columns(entry, cart), _addresses(entry, cart)
        is_changed = bool(columns or addresses)
        if is_changed:
            raw_rows.update(Cart, [{"id": cart.id, **columns, **addresses, "updated_at": now()}])
        if "items" in entry.given:
            is_changed |= _set_items(cart, _items(entry))
        _check_place(cart, columns.keys() | addresses.keys())
        if is_changed:
            refresh(cart)
        self.counts.updated += is_changed
        self.counts.unchanged += not is_changed

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        lines = Prefetch("items", LineItem.objects.not_deleted().filter(variant__isnull=False).order_by("pk"))
        rows = (
            Cart.objects.of_shoppers()
            .filter(completed_at=None)
            .select_related("region", "sales_channel", "customer", *PLACES)
        )
        for cart in rows.prefetch_related(lines, "items__variant").order_by("pk"):
            yield {
                "id": cart.pk,
                "region": cart.region.name,
                "sales_channel": cart.sales_channel.name,
                "email": cart.email,
                "customer": _name_of(cart.customer),
                **{name: _dumped(address) for name in PLACES if (address := getattr(cart, name))},
                "items": [
                    {
                        "variant": line.variant.sku or line.variant_id,
                        "quantity": line.quantity,
                        "metadata": line.metadata,
                    }
                    for line in cart.items.all()
                ],
                "metadata": cart.metadata,
                "created_at": isoformat(cart.created_at),
            }


def _default_channel() -> str:
    return str(Store.objects.values_list("default_sales_channel_id", flat=True).get())


def _items(entry: Entry) -> list[NewLineItem]:
    given = [item.given for item in entry.given.get("items", ())]
    return [NewLineItem(item["variant"], item["quantity"], item.get("metadata")) for item in given]


def _columns(entry: Entry, cart: LockedCart) -> dict[str, object]:
    """The columns of the cart that the object changes, which the locked cart takes over."""
    given, stored = entry.given, Cart.objects.get(pk=cart.id)
    wanted = {
        "region_id": given.get("region", stored.region_id),
        "sales_channel_id": given.get("sales_channel", stored.sales_channel_id),
        "customer_id": given.get("customer", stored.customer_id),
        "email": checked_email(given["email"]) if "email" in given else stored.email,
        "metadata": given.get("metadata", stored.metadata),
    }
    changed = {name: value for name, value in wanted.items() if not same(getattr(stored, name), value)}
    if "region_id" in changed:
        changed["currency_id"] = price_context.find(region_id=changed["region_id"]).currency_code
        cart.currency_changed = changed["currency_id"] != stored.currency_id
    cart.row.sales_channel_id, cart.row.region_id = wanted["sales_channel_id"], wanted["region_id"]
    return changed


def _addresses(entry: Entry, cart: LockedCart) -> dict[str, str]:
    """The ids of the addresses that the object changes, which the locked cart takes over."""
    written: dict[str, str] = {}
    for name in (name for name in PLACES if name in entry.given):
        given, column = entry.given[name].given, f"{name}_id"
        stored_id, wanted = getattr(cart.row, column), checked_address(given, name)
        row = CartAddress.objects.filter(pk=stored_id).values(*wanted).first()
        if row is None or not same(row, wanted):
            written[column] = write_address(stored_id, given, field=name)
            setattr(cart.row, column, written[column])
    return written


def _check_place(cart: LockedCart, changed: Collection[str]) -> None:
    """The same checks as for shoppers. Raises CountryOutsideRegion, LinesNotSold, LinesOutOfStock."""
    if "sales_channel_id" in changed:
        move_to_channel(cart, cart.row.sales_channel_id)
    address_id = cart.row.shipping_address_id
    if address_id is not None and ("region_id" in changed or "shipping_address_id" in changed):
        check_country(address_id, cart.row.region_id)


def _set_items(cart: LockedCart, items: Sequence[NewLineItem]) -> bool:
    """Make the lines equal to these items. Returns whether that changes anything."""
    kept: list[LineRow] = []
    missing: list[NewLineItem] = []
    for item in items:
        line = next((line for line in cart.lines if line not in kept and _is_same(line, item)), None)
        missing.append(item) if line is None else kept.append(line)
    gone = [line for line in cart.lines if line not in kept]
    for line in gone:
        remove_line(cart, line)
    add_items(cart, missing)
    return bool(gone or missing)


def _is_same(line: LineRow, item: NewLineItem) -> bool:
    is_alike = (line.variant_id, line.quantity) == (item.variant_id, item.quantity)
    return is_alike and same(line.metadata, item.metadata)


def _name_of(customer: Customer | None) -> str | None:
    """The email of an account; the id of a guest, who may share their email with an account."""
    if customer is None:
        return None
    return customer.email if customer.has_account else customer.pk


def _dumped(address: CartAddress) -> JSONObject:
    return {name: getattr(address, name) for name in ADDRESS}
