"""What staff do with the catalogue."""

from itertools import product as combinations

from catalog.models import InventoryLevel, Price, PriceList, Product
from catalog.states import ProductStatus
from commerce.operations.demo.demo_pictures import DIRECTORY
from pictures.models import Picture
from pictures.processing import convert
from tests.browser.day.person import Person

GRID = ".variant-grid tbody"


def add_a_product(staff: Person) -> None:
    """Two options, four variants, two currencies, two locations, three pictures; published."""
    photos = [DIRECTORY / f"{name}.png" for name in ("tide-cup-1", "tide-cup-2", "iron-teapot-1")]
    staff.add("Products")
    staff.enter("title", "Harbour Mug")
    staff.select("status", "Published")
    staff.upload(".pictures input[type=file]", "Choose pictures", photos)
    staff.page.until("document.querySelectorAll('.pictures li').length === 3")
    for row in Picture.objects.all():
        convert.call(picture_id=row.pk)
    for name, values in (("Size", "Small, Large"), ("Glaze", "Sand, Slate")):
        staff.tick(".variant-grid button", "Add option")
        staff._put(name)
        staff.press("Tab")
        staff._put(values)
        staff.press("Enter")
    staff.reach(f"{GRID} tr:first-child td[data-label='Price £'] input")
    staff.paste(PASTED)
    staff.picture("product", top=".pictures")
    assert "Harbour Mug” was added successfully" in staff.save()
    mug = Product.objects.get(title="Harbour Mug")
    assert (mug.status, mug.images.count()) == (ProductStatus.PUBLISHED, 3)
    assert [variant.title for variant in mug.variants.order_by("variant_rank")] == [
        " / ".join(values) for values in combinations(("Small", "Large"), ("Sand", "Slate"))
    ]
    assert Price.objects.filter(price_set__variant__product=mug).count() == 8
    assert InventoryLevel.objects.filter(inventory_item__variant_links__variant__product=mug).count() == 8


PASTED = [("18", "21", "12", "2"), ("18", "21", "9", "2"), ("22", "26", "12", "2"), ("22", "26", "6", "0")]


def paste_prices(staff: Person) -> None:
    """Forty prices: two currencies of twenty variants."""
    staff.menu("Products")
    staff.picture("products")
    staff.activate("a", "Edit prices and stock")
    staff.reach(f"{GRID} tr:first-child td[data-label='Price £'] input")
    staff.paste([(f"{20 + row}.50", f"{22 + row}.50") for row in range(20)])
    staff.picture("grid")
    assert "20 variants were saved." in staff.save("[type=submit]", "Save")
    assert Price.objects.filter(amount__in=[f"{20 + row}.50" for row in range(22)]).count() >= 40


def start_a_sale(staff: Person) -> None:
    """Ten percent off one product."""
    staff.add("Price lists")
    staff.enter("title", "Mug week")
    staff.select("status", "Active")
    staff.enter("reduce_by", "10")
    staff.pick("products", "Harbour Mug")
    staff.picture("sale")
    assert "8 prices added, 0 changed, 0 removed." in staff.save()
    assert PriceList.objects.get(title="Mug week").prices.count() == 8


def delete_and_restore(staff: Person) -> None:
    """A product is deleted by mistake, and comes back."""
    staff.menu("Products")
    staff.activate("#result_list a", "Harbour Mug")
    staff.activate("a", "Delete product")
    staff.submit()
    assert not Product.objects.not_deleted().filter(title="Harbour Mug").exists()
    staff.activate("a", "Filters", leaves=False)
    staff.activate("a", "Deleted")
    staff.activate("#result_list a", "Harbour Mug")
    staff.activate("a", "Restore")
    staff.picture("restore")
    staff.submit()
    assert Product.objects.not_deleted().get(title="Harbour Mug").variants.not_deleted().count() == 4
