"""Two members of staff have one row open: the second to save sees what the first has saved, and overwrites nothing."""

import json

import pytest

from carts.models import Promotion
from catalog.models import InventoryLevel, Price, Product, ProductCategory, ProductVariant
from kit.admin.history.conflicts import UNKNOWN
from kit.admin.history.shown_values import MEANWHILE, NAME
from staff.models import User
from tests.factories.carts import PromotionFactory
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import count_stock, stock
from tests.factories.pricing import price
from tests.factories.products import ImageFactory, OptionFactory, ProductFactory, ProductTagFactory, VariantFactory
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import changed, errors, filled_in, sent, submit
from tests.kit.admin.visits import history, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def address(row):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def meanwhile(row, **changes):
    """Another member of staff saves the row. Returns who that is."""
    other = superuser()
    submit(other, address(row), sent(other, address(row), **changes))
    return other.user


def test_a_field_that_was_changed_meanwhile_says_what_is_stored_and_who_saved_it():
    product, client = ProductFactory(title="Tea", subtitle="Black"), superuser()
    values = sent(client, address(product), subtitle="Green")
    other = meanwhile(product, title="Assam")
    reported = errors(client.post(address(product), values))
    assert reported.keys() == {"", "title"}
    assert reported[""] == [MEANWHILE]
    (text,) = reported["title"]
    assert text.startswith(f"Current value: Assam. Saved by {other} at ")
    product.refresh_from_db()
    assert (product.title, product.subtitle, len(history())) == ("Assam", "Black", 1)


def test_what_was_entered_comes_back_and_is_saved_by_sending_it_again():
    product, client = ProductFactory(title="Tea"), superuser()
    values = sent(client, address(product), title="Ceylon")
    meanwhile(product, title="Assam")
    answer = client.post(address(product), values)
    form = answer.context["adminform"].form
    assert form["title"].value() == "Ceylon"
    submit(client, address(product), changed(values, **{NAME: answer.context[NAME]}))
    product.refresh_from_db()
    assert product.title == "Ceylon"


@pytest.mark.parametrize("field", [None, "", "{}", '{"at": 1, "row": {}, "parts": {}}'])
def test_a_form_that_does_not_say_what_it_showed_is_not_saved(field):
    product, client = ProductFactory(title="Tea"), superuser()
    answer = client.post(address(product), sent(client, address(product), title="Ceylon", **{NAME: field}))
    assert errors(answer) == {"": [UNKNOWN]}
    product.refresh_from_db()
    assert product.title == "Tea"
    submit(client, address(product), filled_in(answer))
    product.refresh_from_db()
    assert product.title == "Ceylon"


def test_a_page_of_an_older_version_does_not_untick_a_box_that_it_did_not_show():
    product, client = ProductFactory(title="Mug"), superuser()
    values = sent(client, address(product), title="Cup", requires_shipping=None)
    shown = json.loads(values[NAME][0])
    del shown["row"]["requires_shipping"]
    answer = client.post(address(product), changed(values, **{NAME: json.dumps(shown)}))
    assert errors(answer) == {"": [MEANWHILE], "requires_shipping": ["Current value: yes. Saved outside this site."]}
    product.refresh_from_db()
    assert (product.title, product.requires_shipping) == ("Mug", True)
    submit(client, address(product), changed(filled_in(answer), requires_shipping="on"))
    product.refresh_from_db()
    assert (product.title, product.requires_shipping) == ("Cup", True)


def test_another_mistake_leaves_the_comparison_as_it_was():
    """The page that comes back after another error has shown nothing of what was saved since."""
    product, client = ProductFactory(title="Tea"), superuser()
    answer = client.post(address(product), sent(client, address(product), title=""))
    meanwhile(product, subtitle="Black")
    reported = errors(client.post(address(product), sent(client, address(product), **{NAME: answer.context[NAME]})))
    assert reported.keys() == {"", "subtitle"}


def test_what_others_save_outside_of_the_site_counts_too():
    product, client = ProductFactory(title="Tea"), superuser()
    values = sent(client, address(product))
    product.title = "Assam"
    product.save()
    assert errors(client.post(address(product), values))["title"] == ["Current value: Assam. Saved outside this site."]


def test_links_to_many_rows_count():
    product, client, tag = ProductFactory(), superuser(), ProductTagFactory(value="organic")
    values = sent(client, address(product))
    product.tags.add(tag)
    reported = errors(client.post(address(product), values))
    assert reported["tags"] == ["Current value: organic. Saved outside this site."]


def test_a_choice_is_shown_by_its_label():
    product, client = ProductFactory(status="draft"), superuser()
    values = sent(client, address(product))
    meanwhile(product, status="published")
    (text,) = errors(client.post(address(product), values))["status"]
    assert text.startswith("Current value: Published. Saved by ")


class TestParts:
    def test_a_price_that_was_changed(self):
        variant, client = VariantFactory(), superuser()
        price(variant, 10)
        values = sent(client, address(variant), title="Large")
        prefix = next(name.removesuffix("-amount") for name in values if name.endswith("-amount"))
        other = meanwhile(variant, **{f"{prefix}-amount": "12"})
        reported = errors(client.post(address(variant), values))
        (text,) = reported[f"{prefix}-amount"]
        assert text.startswith("Current value: 12")
        assert f"Saved by {other} at " in text
        assert (Price.objects.get().amount, ProductVariant.objects.get().title) == (12, variant.title)

    def test_a_row_that_was_added(self):
        product, client = ProductFactory(), superuser()
        values = sent(client, address(product), title="Assam")
        ImageFactory(product=product, url="https://images.example/new.png")
        answer = client.post(address(product), values)
        (text,) = errors(answer)["images"]
        assert text == (
            f"Added since this page was opened, outside this site: https://images.example/new.png. {MEANWHILE}"
        )
        assert Product.objects.get().title != "Assam"
        submit(client, address(product), changed(values, **{NAME: answer.context[NAME]}))
        assert (Product.objects.get().title, product.images.count()) == ("Assam", 1)

    def test_rows_that_one_may_only_see_are_no_conflict(self):
        size = OptionFactory(title="Size", values=["S"])
        models = ("product", "productoption", "productvariant", "productimage")
        client = visitor(*(f"catalog.view_{model}" for model in models), "catalog.change_product")
        values = sent(client, address(size.product), title="Assam")
        size.values.create(value="M")
        ImageFactory(product=size.product)
        submit(client, address(size.product), values)
        assert Product.objects.get().title == "Assam"

    def test_a_row_that_was_deleted(self):
        image, client = ImageFactory(), superuser()
        values = sent(client, address(image.product), title="Assam")
        image.delete()
        assert errors(client.post(address(image.product), values))["images"]
        assert Product.objects.get().title != "Assam"


class TestStock:
    @pytest.fixture
    def level(self):
        return stock(VariantFactory(), 10)

    def page(self, level):
        return address(level.inventory_item)

    @pytest.mark.parametrize(("counted", "changed"), [(4, 9), (15, 20)])
    def test_it_is_changed_by_difference(self, level, counted, changed):
        """Also where it is counted as what was entered meanwhile."""
        client = superuser()
        values = sent(client, self.page(level), **{"levels-0-stocked_quantity": "15"})
        count_stock(counted)
        submit(client, self.page(level), values)
        assert InventoryLevel.objects.get().stocked_quantity == changed

    def test_who_leaves_it_alone_takes_nothing_back(self, level):
        client = superuser()
        values = sent(client, self.page(level), title="Leaves")
        count_stock(4)
        submit(client, self.page(level), values)
        assert InventoryLevel.objects.get().stocked_quantity == 4

    def test_no_more_is_taken_away_than_is_left(self, level):
        client = superuser()
        values = sent(client, self.page(level), **{"levels-0-stocked_quantity": "2"})
        count_stock(5)
        reported = errors(client.post(self.page(level), values))
        assert reported == {"levels-0-stocked_quantity": ["Only 5 are left: 8 cannot be removed."]}
        assert InventoryLevel.objects.get().stocked_quantity == 5


@pytest.mark.parametrize(
    ("make", "model", "field"),
    [
        (lambda: CategoryFactory(name="Tea"), ProductCategory, "name"),
        (lambda: UserFactory(first_name="Ann"), User, "first_name"),
        (PromotionFactory, Promotion, "code"),
    ],
)
def test_screens_of_verbs_and_of_staff_compare_as_well(make, model, field):
    stored, client = make(), superuser()
    values = sent(client, address(stored))
    meanwhile(stored, **{field: "Changed"})
    assert field in errors(client.post(address(stored), values))
