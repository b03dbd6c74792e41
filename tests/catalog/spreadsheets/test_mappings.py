"""Any file by a mapping that a person makes once, and how a file is written."""

import pytest

from catalog.models import Price, Product, ProductVariant
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import change
from tests.catalog.spreadsheets.importing import applied, lines, uploaded
from tests.factories.inventory import StockLocationFactory

pytestmark = pytest.mark.django_db
FILE = lines("Artikel;Nummer;Preis;Notiz", "Tasse;007;1.234,50;x")
MAPPING = ["title", "sku", "price:eur", ""]


def test_a_mapping_is_remembered_for_files_with_the_same_headers() -> None:
    one = uploaded(FILE)
    assert one.mapping == ["", "", "", ""]
    assert one.reading == {"encoding": "utf-8", "separator": "semicolon", "decimal_mark": "comma"}
    change(one, actor=SYSTEM, mapping=MAPPING)

    two = applied(FILE.replace("Artikel", "ARTIKEL "))

    assert two.mapping == MAPPING
    assert two.done == {"new": 1}
    assert Product.objects.get().handle == "tasse"
    assert ProductVariant.objects.get().sku == "007"
    assert [str(price.amount) for price in Price.objects.all()] == ["1234.5"]


def test_headers_are_read_again_with_another_separator() -> None:
    one = uploaded(lines("Product Handle|a;Product Title", "cup|x;Cup"))
    assert one.headers == ["Product Handle|a", "Product Title"]

    change(one, actor=SYSTEM, reading={"separator": "comma"})

    assert one.headers == ["Product Handle|a;Product Title"]
    with pytest.raises(InvalidData, match="Field 'separator': 'pipe' is not known"):
        change(one, actor=SYSTEM, reading={"separator": "pipe"})


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        (["title"], "Field 'mapping' has 1 columns, and the file has 4"),
        (["title", "sku", "price", ""], "'price' is not a field of products."),
        (["title", "title", "", ""], "Two columns are imported as 'title'. Import only one of them."),
    ],
)
def test_a_mapping_names_fields_once(mapping: list[str], message: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        change(uploaded(FILE), actor=SYSTEM, mapping=mapping)
    assert refusal.value.message == message


def test_a_bad_cell_is_a_problem_of_its_row_and_column() -> None:
    StockLocationFactory.create(name="Berlin")
    header = "Product Handle,Product Title,Product Status,Variant Weight,Variant Price EUR,Variant Stock Berlin"
    rows = ("cup,Cup,gone,heavy,-1,1.5", "mug,Mug,draft,1,1.999,3", "pot,,draft,,,,,9", "jar,Jar,draft,1e999,1,3")
    one = uploaded(lines(header, *rows))

    preview(one, actor=SYSTEM)

    assert one.counts == {"problem": 4, "rows": 4}
    assert one.problems == [
        [2, "Product Status", "'gone' is not a status. Enter draft, proposed, published or rejected."],
        [2, "Variant Weight", "'heavy' is not a number."],
        [2, "Variant Price EUR", "Enter 0 or more."],
        [2, "Variant Stock Berlin", "'1.5' is not a whole number."],
        [3, "Variant Price EUR", "Value for field 'amount' has more than 2 decimals of eur"],
        [
            4,
            "",
            (
                "This row has more cells than there are headers. "
                "Put quotation marks around cells that contain the separator."
            ),
        ],
        [4, "Product Title", "Enter a title: no product has this handle yet."],
        [5, "Variant Weight", "'1e999' is not a number."],
    ]


def test_rows_of_a_product_follow_one_another() -> None:
    one = uploaded(lines("Product Handle,Product Title,Variant SKU", "cup,Cup,A", "mug,Mug,B", "cup,,C", "mug,Other,D"))

    preview(one, actor=SYSTEM)

    assert one.problems[:1] == [[4, "", "This row belongs with row 2. Move it directly below."]]
    assert one.counts == {"new": 2, "problem": 2, "rows": 4}


@pytest.mark.parametrize("header", ["stock_exported", "Stock Exported", "STOCK-EXPORTED"])
def test_the_stock_that_was_exported_is_found_by_either_name(header: str) -> None:
    fields = {"products": "quantity_exported", "stock": "stock_exported"}
    for key, field in fields.items():
        columns = SPREADSHEETS.get()[key].columns
        column = columns.of(field)
        assert columns.recognised(header) == field
        assert column is not None
        assert column.name == "Stock Exported"


def test_a_column_chosen_for_a_price_that_another_has_is_a_problem() -> None:
    one = uploaded(lines("Artikel,Preis,Price EUR", "Tasse,1,2"))
    change(one, actor=SYSTEM, mapping=["title", "price:eur", "price:EUR"])

    preview(one, actor=SYSTEM)

    message = "The columns Variant Price EUR and Variant Price eur are the same price. Leave out one of them."
    assert one.problems == [[2, "Preis", message]]
