"""The spreadsheet of stock: a row for each inventory item and location."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalog.models import InventoryItem, InventoryLevel
from catalog.spreadsheets.named_goods import named_goods
from catalog.spreadsheets.references import References
from catalog.stock.errors import StockBelowZero
from catalog.stock.stock_changes import StockChange, change_stock
from catalog.stock.stock_levels import add_levels
from catalog.stock.stock_movements import adjusted
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.errors import InvalidData
from kit.spreadsheets.columns import WHOLE, Column, Columns
from kit.spreadsheets.declarations import Importer, Option, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, values_of

LEAVE, SET = "leave", "set"
OPTIONS = {
    "stock": Option(
        "What to do with stock in files without Stock Exported.",
        {LEAVE: "Leave stock as it is", SET: "Set stock to the file's numbers"},
    ),
    "location_id": Option("The location of stock columns that name none."),
}
"""Those of files that have stock."""
_NOT_STOCKED = (
    "This location does not stock the item yet. To add it, enter a quantity in Stock and leave Stock Exported empty."
)
_NOT_CHOSEN = "The stock differs from this number. Choose for the whole file whether to set it."


@dataclass(frozen=True, slots=True)
class _Place:
    item: InventoryItem
    location_id: str


@dataclass(frozen=True, slots=True)
class _Change:
    """level: None for a new one. quantity: to set. difference: to book; one of them is None."""

    place: _Place
    level: InventoryLevel | None
    quantity: int | None = None
    difference: int | None = None

    @property
    def stock(self) -> StockChange:
        """As the verbs take it."""
        place = self.place
        return StockChange(place.item.pk, place.location_id, stocked_quantity=self.quantity, adjust_by=self.difference)


class StockImporter(Importer):
    """Books the difference to the stock as exported. Without that, it sets the stock, or leaves it, as chosen."""

    def lock(self, ids: Sequence[str]) -> None:
        """All levels of these items at these locations, as the verbs lock them."""
        places = [*InventoryLevel.objects.filter(pk__in=ids).values_list("inventory_item", "location")]
        items, locations = {item for item, _ in places}, {location for _, location in places}
        lock_rows(InventoryLevel.objects.not_deleted().filter(inventory_item__in=items, location__in=locations))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        references = References()
        rows = [values_of(record) for record in records]
        items = named_goods(InventoryItem, "inventory item", "id", records, rows)
        places = [self._place(*each, references) for each in zip(records, rows, items, strict=True)]
        levels = InventoryLevel.objects.not_deleted().filter(
            inventory_item__in={place.item.pk for place in places if place},
            location__in={place.location_id for place in places if place},
        )
        stored = {(level.inventory_item_id, level.location_id): level for level in levels}
        planned = [
            self._planned(record, row, place, stored.get((place.item.pk, place.location_id)) if place else None)
            for record, row, place in zip(records, rows, places, strict=True)
        ]
        refuse_repeated(records, [place and (place.item.pk, place.location_id) for place in places], self.claimed)
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        changes: list[_Change] = [one.change for one in planned]
        new = [one.stock for one in changes if one.level is None]
        changed = [one.stock for one in changes if one.level]
        with reported():
            added = iter(add_levels(actor=self.actor, levels=new) if new else ())
            if changed:
                change_stock(actor=self.actor, changes=changed)
        references = References()
        return [
            Written(one.level.pk, [_undo_rows(one, one.level, references)]) if one.level else Written(next(added))
            for one in changes
        ]

    def _place(self, record: Record, row: Values, item: InventoryItem | None, references: References) -> _Place | None:
        with Refusing(record, "location"):
            location_id = references.location(row.get("location") or self.options.get("location_id", ""))
            return _Place(item, location_id) if item else None
        return None

    def _planned(self, record: Record, row: Values, place: _Place | None, level: InventoryLevel | None) -> Planned:
        label = str(row.get("sku") or row.get("id") or record.number)
        quantity, exported = row.get("stock"), row.get("stock_exported")
        if place is None:
            return Planned(record, label)
        label = place.item.sku or place.item.pk
        if level is None:
            if not record.problems and (quantity is None or exported is not None):
                record.refuse(_NOT_STOCKED, "stock")
            return Planned(record, label, change=_Change(place, None, quantity))
        if quantity is None or quantity == (level.stocked_quantity if exported is None else exported):
            return Planned(record, label, level.pk, is_changed=False)
        if exported is not None:  # whatever has been sold since the preview: only the difference is booked
            with Refusing(record, "stock"):
                try:
                    adjusted(level, quantity - exported)
                except StockBelowZero:
                    some, less = max(level.stocked_quantity, 0), exported - quantity
                    raise InvalidData(f"Only {some} in stock, so {less} cannot be deducted.") from None
            return Planned(record, label, level.pk, change=_Change(place, level, difference=quantity - exported))
        chosen = self.options.get("stock")
        if not chosen:
            record.refuse(_NOT_CHOSEN, "stock")
        elif chosen == SET and quantity < 0:
            record.refuse("Enter 0 or more.", "stock")
        change = _Change(place, level, quantity)
        return Planned(record, label, level.pk, str(level.stocked_quantity), chosen == SET, change)


class StockSpreadsheet(Spreadsheet):
    """Items that no location stocks are not in it. A location begins to stock one by `catalog.add_inventorylevel`."""

    key = "stock"
    title = "Stock"
    options = OPTIONS
    importing = ("catalog.change_inventorylevel",)
    exporting = ("catalog.view_inventorylevel",)
    booked = ("stock_exported",)
    importer = StockImporter
    columns = Columns(
        (
            Column("id", "Inventory Item Id"),
            Column("sku", "SKU", aliases=("Variant SKU", "Inventory Item SKU")),
            Column("location", "Location", aliases=("Location Id", "Location Name")),
            Column("stock_exported", "Stock Exported", WHOLE, ("On hand (current)",)),
            Column("stock", "Stock", WHOLE, ("Stocked Quantity", "On hand", "On hand (new)")),
        )
    )

    def key_of(self, values: Values) -> str:
        item = values.get("id") or values.get("sku")
        return f"{item}\0{values.get('location') or ''}" if item else ""

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        references = References()
        levels = InventoryLevel.objects.visible_to(actor).filter(
            inventory_item__deleted_at=None, location__deleted_at=None
        )
        for batch in batches_of(levels.select_related("inventory_item")):
            for level in batch:
                yield [_row(level.inventory_item, level, level.stocked_quantity, references)]


def _row(item: InventoryItem, level: InventoryLevel, exported: int, references: References) -> Values:
    location = references.name("location", level.location_id)
    stocked = level.stocked_quantity
    return {"id": item.pk, "sku": item.sku, "location": location, "stock_exported": exported, "stock": stocked}


def _undo_rows(change: _Change, level: InventoryLevel, references: References) -> Values:
    """The row of the level as it was, which books the difference back."""
    before = level.stocked_quantity
    after = before + (change.difference or 0) if change.quantity is None else change.quantity
    return _row(change.place.item, level, after, references)


STOCK = StockSpreadsheet()
