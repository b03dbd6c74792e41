"""The spreadsheet of products: a row for each variant, and rows of further pictures."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Self

from catalog.models import PriceList, Product
from catalog.spreadsheets import product_columns, stock
from catalog.spreadsheets.codes import refuse_taken
from catalog.spreadsheets.exported_products import exported_rows, fields_of
from catalog.spreadsheets.price_columns import SALE, sale_title
from catalog.spreadsheets.product_changes import change_of
from catalog.spreadsheets.product_writing import write_products
from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_products import StoredProduct, stored_products
from catalog.spreadsheets.wanted_products import Reader, WantedProduct, key_of
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.errors import NotAllowed
from kit.spreadsheets.declarations import Importer, Option, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, version_of
from pictures.fetching import Fetching, copies_of
from pictures.receiving import PERMISSION


class ProductImporter(Importer):
    """Finds products by id or handle, their variants by id, SKU or options. Variants that a file lacks stay."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        self._references = References()
        self._reader = Reader(self.fields, options, self._references)
        self._title = sale_title(self.fields, options)
        self._sale = sale_id(self._title)
        self.fetching = Fetching(actor) if options.get("pictures") == "fetch" else None

    def renewed(self) -> Self:
        """One that still knows which hosts have failed."""
        new = super().renewed()
        new.fetching = self.fetching
        return new

    def prepare(self, records: Sequence[Record], go_on: Callable[[], None]) -> None:
        """Fetch the pictures of records that would be written."""
        if self.fetching is None:
            return
        planned = self.plan([Record(one.key, one.rows, [*one.problems]) for one in records])
        wanted = [{} if one.record.problems else one.change.unfetched for one in planned]
        refused = self.fetching.fetch([address for each in wanted for address in each], go_on)
        for record, addresses in zip(records, wanted, strict=True):
            for address, places in addresses.items():
                for place in places if address in refused else ():
                    record.refuse(refused[address], *place)

    def lock(self, ids: Sequence[str]) -> None:
        """The list of sale prices first, as all who write its prices do."""
        if any(field == "compare_at" or field.startswith("sale_price:") for field in self.fields):
            lock_rows(PriceList.objects.filter(pk=self._sale).only("pk"))
        lock_rows(Product.objects.filter(pk__in=ids).only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        wanted = [self._reader.product_of(record) for record in records]
        stored = self._stored(wanted)
        if self.fetching is not None:
            copies = copies_of({address for one in wanted for address in one.pictures})
            for one, product in zip(wanted, stored, strict=True):
                one.put_copies(copies, product.values["thumbnail"] if product else None)
        planned = [self._planned(*each) for each in zip(records, wanted, stored, strict=True)]
        refuse_repeated(records, [each.id for each in planned], self.claimed)
        refuse_taken(planned)
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        changes = [one.change for one in planned]
        if any(one.unfetched for one in changes):
            raise NotAllowed("Its pictures were not fetched. Import the file again.")
        before = [
            exported_rows(one.stored, self._references, self._title, fields_of(self.fields)) if one.stored else []
            for one in changes
        ]
        return write_products(changes, before, references=self._references, sale=self._title, actor=self.actor)

    def _planned(self, record: Record, wanted: WantedProduct, stored: StoredProduct | None) -> Planned:
        if wanted.id is not None and stored is None:
            record.refuse("No product has this id. To create a product, leave the cell empty.", "id")
        if stored is not None and wanted.written_handle == stored.values["handle"]:
            wanted.values.pop("handle", None)
        if not record.key and stored is None:
            record.refuse("Enter the handle, the title or the id of the product.")
        sets_stock = self.options.get("stock") == stock.SET
        change = change_of(record, wanted, stored, sets_stock=sets_stock)
        if stored is None and (channel := self.options.get("sales_channel_id")):
            with Refusing(record):
                change.values.setdefault("sales_channels", [self._references.id("channel", channel)])
        label = str(wanted.values.get("title") or (stored and stored.values["title"]) or record.key)
        return Planned(
            record,
            label,
            stored.id if stored else None,
            version_of([stored.version, change.compared]) if stored else "",
            is_changed=not change.is_empty,
            change=change,
        )

    def _stored(self, wanted: Sequence[WantedProduct]) -> list[StoredProduct | None]:
        handles = {handle for one in wanted for handle in (one.written_handle, one.values.get("handle")) if handle}
        rows = Product.objects.not_deleted()
        by_handle = dict(rows.filter(handle__in=handles).values_list("handle", "pk"))
        ids = [
            one.id or by_handle.get(one.written_handle or "") or by_handle.get(one.values.get("handle", ""))
            for one in wanted
        ]
        found = stored_products({key for key in ids if key}, sale=self._sale)
        return [found.get(key or "") for key in ids]


class ProductSpreadsheet(Spreadsheet):
    """A product has a row for each variant; its own values are in the first."""

    key = "products"
    title = "Products"
    options = {
        **stock.OPTIONS,
        "currency_code": Option("The currency of price columns that name none."),
        "sales_channel_id": Option("The sales channel of new products, if the file has no sales channel columns."),
        "price_list": Option(f"The price list for prices with a higher compare-at price. Default: {SALE}."),
        "pictures": Option(
            "What to do with pictures on other sites. They are fetched when the import is applied, not by its preview.",
            {"link": "Link to them", "fetch": "Fetch them and keep copies"},
        ),
    }
    importing = ("catalog.add_product", "catalog.change_product")
    exporting = ("catalog.view_product",)
    choosing = {("pictures", "fetch"): PERMISSION}
    revealing = {
        "price": "catalog.view_price",
        "sale_price": "catalog.view_price",
        "stock": "catalog.view_inventorylevel",
        "stock_exported": "catalog.view_inventorylevel",
    }
    booked = ("stock_exported",)
    importer = ProductImporter
    columns = product_columns.COLUMNS

    def key_of(self, values: Values) -> str:
        return key_of(values)

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        references, title = References(), sale_title((), options)
        sale = sale_id(title)
        shown = {column.field.partition(":")[0] for column in self.columns.all} - {
            field for field, permission in self.revealing.items() if not actor.may(permission)
        }
        for batch in batches_of(Product.objects.visible_to(actor).only("pk")):
            for product in stored_products([one.pk for one in batch], sale=sale).values():
                yield exported_rows(product, references, title, shown)


def sale_id(title: str) -> str | None:
    """The id of the price list of sale prices, if it exists."""
    return PriceList.objects.not_deleted().filter(title=title).values_list("pk", flat=True).first()


PRODUCTS = ProductSpreadsheet()
