"""Options, labels and relations of products in files, and the way back of each."""

import pytest

from catalog.models import Price, Product, ProductVariant
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductCollectionFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db
TEE = "Product Handle,Product Title,Variant SKU,Option1 Name,Option1 Value"


def test_options_grow_and_variants_are_found_by_them() -> None:
    applied(lines(TEE, "tee,Tee,,Size,S", "tee,,,Size,M"))
    first = {*ProductVariant.objects.values_list("pk", "title")}

    one = applied(
        lines(f"{TEE},Variant Title", "tee,Tee,S1,Size,S,Small", "tee,,M1,Size,M,Medium", "tee,,L1,Size,L,Large")
    )

    assert one.done == {"changed": 1}
    assert [*ProductVariant.objects.order_by("sku").values_list("sku", "title")] == [
        ("L1", "Large"),
        ("M1", "Medium"),
        ("S1", "Small"),
    ]
    assert {key for key, _ in first} < {*ProductVariant.objects.values_list("pk", flat=True)}
    assert [*Product.objects.get().options.get().values.values_list("value", flat=True)] == ["S", "M", "L"]


def test_relations_are_named_by_id_handle_or_name_and_labels_are_made() -> None:
    category, channel = CategoryFactory.create(handle="cups", name="All cups"), SalesChannelFactory.create(name="Fair")
    collection = ProductCollectionFactory.create(handle="summer", title="Summer")
    header = (
        "Product Handle,Product Title,Product Category 1,Product Category 2,Product Sales Channel 1,"
        "Product Collection Id,Product Type Id,Product Tag 1,Product Tag 2"
    )

    one = applied(
        lines(header, f"cup,Cup,{category.pk},,fair,Summer,Cups,new,blue", "mug,Mug,All cups,,Fair,summer,Cups,blue,")
    )

    assert one.done == {"new": 2}
    for product in Product.objects.all():
        assert [*product.categories.all()] == [category]
        assert [*product.sales_channels.all()] == [channel]
        assert product.collection == collection
        assert product.type
        assert product.type.value == "Cups"
    assert sorted(tag.value for tag in Product.objects.get(handle="cup").tags.all()) == ["blue", "new"]
    (cup, mug) = spreadsheet(exported())
    assert [cup[name] for name in header.split(",")[2:] if name in cup] == [
        "cups",
        "Fair",
        "summer",
        "Cups",
        "blue",
        "new",
    ]
    assert mug["Product Tag 2"] == ""


def test_an_unknown_category_is_a_problem_and_an_ambiguous_one_needs_its_id() -> None:
    CategoryFactory.create(name="Cups", handle="a")
    CategoryFactory.create(name="Cups", handle="b")

    one = previewed(lines("Product Handle,Product Title,Product Category 1", "cup,Cup,Cups", "mug,Mug,Mugs"))

    assert one.problems == [
        [2, "Product Category 1", "Several are called 'Cups'. Enter the id."],
        [3, "Product Category 1", "No category is called 'Mugs'."],
    ]


def test_an_empty_cell_empties_what_may_be_empty() -> None:
    header = "Product Handle,Product Title,Product Subtitle,Product Status,Product Weight,Variant SKU,Variant Price EUR"
    applied(lines(header, "cup,Cup,Small,published,5,A,10"))
    first = exported()

    one = applied(lines(header, "cup,,,,,A,"))

    product = Product.objects.get()
    assert (product.title, product.subtitle, product.status, product.weight) == ("Cup", None, "published", None)
    assert not Price.objects.not_deleted().exists()
    applied(undo_file(one))
    assert exported() == first


def test_an_empty_thumbnail_is_the_first_image_where_it_has_been() -> None:
    header = "Product Handle,Product Title,Product Thumbnail,Product Image 1 Url,Product Image 2 Url"
    one, two = "https://cdn.example/1.png", "https://cdn.example/2.png"
    file = lines(header, f"cup,Cup,,{one},{two}")
    applied(file)
    assert Product.objects.get().thumbnail == one
    assert applied(file).done == {"unchanged": 1}

    applied(lines(header, f"cup,Cup,,{two},{one}"))
    assert Product.objects.get().thumbnail == two

    applied(lines(header, f"cup,Cup,{one},{two},{one}"))
    applied(lines(header, f"cup,Cup,,{two},{one}"))
    assert Product.objects.get().thumbnail is None
    assert applied(exported()).done == {"unchanged": 1}


def test_ids_of_rows_that_are_not_there_are_problems() -> None:
    applied(lines("Product Handle,Product Title,Variant SKU", "cup,Cup,A"))

    one = previewed(
        lines(
            "Product Id,Product Handle,Product Title,Variant Id", "prod_x,mug,Mug,", ",cup,,variant_x", ",,,", ",,Pot,"
        )
    )

    assert one.counts == {"new": 1, "problem": 2, "rows": 3}
    assert one.problems == [
        [2, "Product Id", "No product has this id. To create a product, leave the cell empty."],
        [3, "Variant Id", "This product has no variant with this id."],
    ]


def test_two_rows_cannot_be_one_variant() -> None:
    applied(lines("Product Handle,Product Title,Variant SKU", "cup,Cup,A"))

    one = previewed(lines("Product Handle,Variant SKU,Variant Title", "cup,A,One", "cup,A,Two"))

    assert one.problems == [[3, "", "Row 2 is about the same variant. Delete one of the two."]]


def test_a_shop_without_products_exports_the_headers() -> None:
    assert exported().startswith("Product Id,Product Handle,Product Title,")
    assert len(exported().splitlines()) == 1


def test_new_products_are_sold_in_the_chosen_channel_unless_the_file_names_others() -> None:
    shop, fair = SalesChannelFactory.create(name="Shop"), SalesChannelFactory.create(name="Fair")
    header = "Product Handle,Product Title"

    applied(lines(header, "cup,Cup"), sales_channel_id=shop.pk)
    applied(lines(f"{header},Product Sales Channel 1", "mug,Mug,Fair"), sales_channel_id="Shop")
    applied(lines(header, "cup,Cup!"), sales_channel_id=fair.pk)

    assert [*Product.objects.get(handle="cup").sales_channels.all()] == [shop]
    assert [*Product.objects.get(handle="mug").sales_channels.all()] == [fair]
    one = previewed(lines(header, "pot,Pot"), sales_channel_id="Mall")
    assert one.problems == [[2, "", "No sales channel is called 'Mall'."]]


def test_two_records_cannot_be_one_product() -> None:
    applied(lines(TEE, "tee,Tee,A,Size,S"))
    key = Product.objects.get().pk

    one = applied(lines(f"Product Id,{TEE}", f"{key},tee,Tee,B,Size,M", f"{key},,Tee,C,Size,L"))

    assert one.done == {"changed": 1, "problem": 1}
    assert one.results.get(row=3).text == "Row 3: Row 2 is about the same thing. Delete one of the two."
    assert {*ProductVariant.objects.not_deleted().values_list("sku", flat=True)} == {"A", "B"}


def test_codes_that_other_variants_have_are_problems_of_the_preview() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Barcode"
    VariantFactory.create(sku="TAKEN", barcode="111")
    gone = VariantFactory.create(sku="GONE")
    ProductVariant.objects.filter(pk=gone.pk).update(deleted_at="2027-01-01T00:00:00Z")

    one = previewed(
        lines(header, "a,A,TAKEN,222", "b,B,B1,111", "c,C,C1,333", "d,D,D1,333", "e,E,GONE,444", "f,F,TAKEN,555")
    )

    assert one.counts == {"problem": 4, "new": 2, "rows": 6}
    assert one.problems == [
        [2, "Variant SKU", "Another variant has the code 'TAKEN'."],
        [3, "Variant Barcode", "Another variant has the code '111'."],
        [5, "Variant Barcode", "Row 4 has the code '333', too."],
        [7, "Variant SKU", "Another variant has the code 'TAKEN'."],
    ]


def test_a_row_with_a_problem_neither_takes_nor_gives_up_a_code() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Id,Product Status"
    applied(lines(header, "a,A,OLD,,draft"))
    variant = ProductVariant.objects.get()

    one = previewed(lines(header, "b,B,NEW,,sold", "c,C,NEW,,draft", f"a,A,X,{variant.pk},sold", "d,D,OLD,,draft"))

    assert one.counts == {"problem": 3, "new": 1, "rows": 4}
    assert one.problems == [
        [2, "Product Status", "'sold' is not a status. Enter draft, proposed, published or rejected."],
        [4, "Product Status", "'sold' is not a status. Enter draft, proposed, published or rejected."],
        [5, "Variant SKU", "Another variant has the code 'OLD'."],
    ]


def test_a_code_that_a_row_gives_up_may_be_taken() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Id"
    applied(lines(header, "a,A,OLD,"))
    variant = ProductVariant.objects.get()

    one = previewed(lines(header, f"a,A,NEW,{variant.pk}", "b,B,OLD,"))

    assert one.counts == {"changed": 1, "new": 1, "rows": 2}
