"""The screens of products."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Product, ProductOption, ProductVariant
from catalog.states import ProductStatus
from shop.models import ShippingProfile, Store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import (
    ImageFactory,
    OptionFactory,
    ProductCollectionFactory,
    ProductFactory,
    ProductTagFactory,
    ProductTypeFactory,
    VariantFactory,
)
from tests.factories.shop import SalesChannelFactory
from tests.kit.admin.forms import changed, errors, row, sent, submit
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/catalog/product/"
ADD = f"{LIST}add/?tables=1"
"""With plain tables in place of the grid."""


def form_of(product: Product) -> str:
    return f"{LIST}{product.pk}/change/?tables=1"


def a_shirt() -> Product:
    """With sizes S and M, and a variant of each."""
    shirt = ProductFactory(title="Shirt", handle="shirt")
    size = OptionFactory(product=shirt, title="Size", values=["S", "M"])
    for rank, value in enumerate(size.values.order_by("pk")):
        VariantFactory(product=shirt, title=value.value, sku=f"shirt-{value.value}", options=[value], variant_rank=rank)
    return shirt


def listed(client, query: str = "") -> list[str]:
    """The titles on the page, as they stand there."""
    answer = client.get(f"{LIST}{query}")
    assert answer.status_code == 200, answer.status_code
    return [product.title for product in answer.context["cl"].result_list]


class TestList:
    def test_its_statements_do_not_grow_with_its_rows(self):
        client = superuser()

        def statements() -> int:
            with CaptureQueriesContext(
                connection,
            ) as context:
                assert client.get(LIST).status_code == 200
            return len(context)

        def add(number: int) -> None:
            for _ in range(number):
                product = ProductFactory(
                    type=ProductTypeFactory(), collection=ProductCollectionFactory(), tags=[ProductTagFactory()]
                )
                VariantFactory(product=product)

        add(5)
        few = statements()
        add(45)
        assert statements() == few

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("?status__exact=published", ["Shirt"]),
            ("?type__id__exact=ptyp_tea", ["Shirt"]),
            ("?collection__id__exact=pcol_new", ["Shirt"]),
            ("?categories__id__exact=wear", ["Shirt"]),
            ("?sales_channels__id__exact=sc_web", ["Shirt"]),
            ("?q=shirt-42", ["Shirt"]),
            ("?q=SHIRT", ["Shirt"]),
            ("?q=4006381333931", ["Shirt"]),
            ("?q=036000291452", ["Shirt"]),
            ("?q=063813", ["Shirt"]),  # part of a barcode
            ("?q=shirt+42", ["Shirt"]),
            ("?q=shirt+cup", []),
            ("?q=cup-handle", ["Cup"]),
            ("?deleted=yes", ["Gone"]),
            ("", ["Cup", "Shirt"]),
            ("?q=%00", ["Cup", "Shirt"]),
            ("?q=nothing", []),
        ],
    )
    def test_filters_and_search(self, query, titles):
        wear = CategoryFactory()
        shirt = ProductFactory(
            title="Shirt",
            type=ProductTypeFactory(id="ptyp_tea"),
            collection=ProductCollectionFactory(id="pcol_new"),
            categories=[wear],
            sales_channels=[SalesChannelFactory(id="sc_web")],
        )
        VariantFactory(product=shirt, sku="shirt-42", barcode="4006381333931", upc="036000291452")
        VariantFactory(product=shirt, sku="shirt-421")
        ProductFactory(title="Cup", handle="cup-handle", status="draft")
        gone = ProductFactory(title="Gone")
        superuser().post(f"{LIST}{gone.pk}/delete/", {"post": "yes"})
        assert listed(superuser(), query.replace("=wear", f"={wear.pk}")) == titles

    @pytest.mark.parametrize("query", ["?type__id__exact=%00", "?status__exact=%00", "?categories__id__exact=no"])
    def test_senseless_filters_do_no_harm(self, query):
        assert superuser().get(f"{LIST}{query}").status_code in (200, 302, 400)

    def test_publishing_and_drafts(self):
        one, other = ProductFactory(title="One", status="draft"), ProductFactory(title="Other")
        client = superuser()
        chosen = {"_selected_action": [one.pk, other.pk]}
        asked = client.post(LIST, {"action": "publish_selected", **chosen}).content.decode()
        assert ("Publish the selected products?" in asked, "Selected: 2 products" in asked) == (True, True)
        assert Product.objects.filter(status="draft").count() == 1
        chosen["post"] = "yes"
        assert reported(client.post(LIST, {"action": "publish_selected", **chosen})) == ["2 products published."]
        assert set(Product.objects.values_list("status", flat=True)) == {"published"}
        assert Product.objects.get(pk=other.pk).updated_at == other.updated_at
        client.post(LIST, {"action": "draft_selected", **chosen})
        assert set(Product.objects.values_list("status", flat=True)) == {ProductStatus.DRAFT}
        assert len(history()) == 4

    def test_nobody_publishes_without_the_permission_to_change(self):
        product = ProductFactory(status="draft")
        client = visitor("catalog.view_product")
        client.post(LIST, {"action": "publish_selected", "_selected_action": [product.pk], "post": "yes"})
        assert Product.objects.get().status == "draft"


class TestCreation:
    def test_the_profile_of_goods_that_ship_is_chosen(self):
        """Without one, carts with the product could not choose a shipping option."""
        ShippingProfile.objects.create(name="Vouchers", type="gift_card")
        parcels = ShippingProfile.objects.create(name="Parcels")
        ShippingProfile.objects.create(name="Freight")
        assert superuser().get(ADD).context["adminform"].form["shipping_profile"].value() == parcels.pk

    def test_the_handle_is_made_of_the_title_and_the_default_channel_is_ticked(self):
        client = superuser()
        values = sent(client, ADD, title="Green Tea!")
        values = row(values, "images", url="https://images.example/1.png")
        values = row(values, "options", title="Weight", values="100 g\n 200 g \n\n")
        submit(client, ADD, values)
        tea = Product.objects.get()
        assert (tea.title, tea.handle, tea.status, tea.subtitle) == ("Green Tea!", "green-tea", "draft", None)
        assert list(tea.sales_channels.all()) == [Store.objects.get().default_sales_channel]
        assert list(tea.images.values_list("url", "rank")) == [("https://images.example/1.png", 0)]
        assert list(tea.options.get().values.order_by("pk").values_list("value", flat=True)) == ["100 g", "200 g"]
        assert history() == [("Green Tea!", 1)]

    def test_a_handle_is_made_fit_for_urls(self):
        client = superuser()
        submit(client, ADD, sent(client, ADD, title="Tea", handle="Green Tea/1"))
        assert Product.objects.get().handle == "green-tea-1"

    def test_every_relation_arrives(self):
        client, category = superuser(), CategoryFactory()
        kind, collection, tag = ProductTypeFactory(), ProductCollectionFactory(), ProductTagFactory()
        chosen = {"type": kind.pk, "collection": collection.pk, "tags": [tag.pk], "categories": [category.pk]}
        submit(client, ADD, sent(client, ADD, title="Tea", **chosen))
        tea = Product.objects.get()
        assert (tea.type, tea.collection, tea.tags.get(), tea.categories.get()) == (kind, collection, tag, category)

    @pytest.mark.parametrize(
        ("field", "value", "error"),
        [
            ("title", "", "This field is required."),
            ("title", "a" * 256, "Ensure this value has at most 255 characters (it has 256)."),
            ("title", "a\0b", "Null characters are not allowed."),
            ("handle", "taken", "Another product has this handle."),
            ("status", "sold", "Select a valid choice. sold is not one of the available choices."),
            ("type", "ptyp_none", "Select a valid choice. That choice is not one of the available choices."),
            ("type", "\0", "Select a valid choice. That choice is not one of the available choices."),
            ("tags", "\0", "Select a valid choice. ? is not one of the available choices."),
            ("sales_channels", "\0", "Select a valid choice. ? is not one of the available choices."),
            ("weight", "-1", "Value for field 'weight' too small, expected at least: '0'"),
            ("weight", "1e400", "Enter a number."),
            ("weight", "nan", "Enter a number."),
            ("weight", "heavy", "Enter a number."),
            ("metadata", "[1]", 'Enter an object, like {"key": "value"}.'),
            ("metadata", '{"a": "\\u0000"}', "The object must not contain NUL characters."),
            ("metadata", '{"a": 1e400}', "The object holds a number beyond 64 bits."),
            ("metadata", '{"a": "\\ud800"}', "The object is not valid Unicode text."),
            ("metadata", '{"\\ud800": 1}', "The object is not valid Unicode text."),
            ("metadata", f'{{"a": {"9" * 5000}}}', "Enter an object with shorter numbers."),
            ("images-0-url", "\0", "Null characters are not allowed."),
            ("images-0-rank", "-1", "Ensure this value is greater than or equal to 0."),
            ("options-0-values", "S\nS", "'S' is repeated."),
            ("options-0-values", "a" * 256, "A value can have at most 255 characters."),
            ("options-0-values", "\n \n", "This field is required."),
            ("options-0-title", "a" * 256, "Ensure this value has at most 255 characters (it has 256)."),
            ("options-1-title", "Size", "Another row has the same value."),
        ],
    )
    def test_each_fault_is_reported_at_its_field_and_nothing_is_made(self, field, value, error):
        ProductFactory(handle="taken")
        client = superuser()
        values = sent(client, ADD, title="Tea")
        values = row(values, "images", url="https://images.example/1.png")
        values = row(values, "options", title="Size", values="S")
        values = row(values, "options", title="Colour", values="Red")
        assert errors(client.post(ADD, changed(values, **{field: value}))) == {field: [error]}
        assert Product.objects.count() == 1
        assert not ProductOption.objects.exists()

    def test_a_title_without_letters_needs_a_handle(self):
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, title="!!!"))
        assert list(errors(answer)) == ["handle"]

    def test_deleted_relations_cannot_be_chosen(self):
        client, kind = superuser(), ProductTypeFactory()
        client.post(f"/admin/catalog/producttype/{kind.pk}/delete/", {"post": "yes"})
        assert list(errors(client.post(ADD, sent(client, ADD, title="Tea", type=kind.pk)))) == ["type"]


class TestChange:
    def test_an_unchanged_form_leaves_everything_alone(self):
        shirt, client = a_shirt(), superuser()
        ImageFactory(product=shirt)
        rows = [shirt, *shirt.variants.all(), *shirt.options.all(), *shirt.images.all()]
        submit(client, form_of(shirt), sent(client, form_of(shirt)))
        for one in rows:
            assert type(one).objects.get(pk=one.pk).updated_at == one.updated_at

    def test_a_variant_is_added_changed_and_deleted(self):
        shirt, client = a_shirt(), superuser()
        size = shirt.options.get()
        submit(client, form_of(shirt), changed(sent(client, form_of(shirt)), **{"options-0-values": "S\nM\nL"}))
        large = size.values.get(value="L")
        values = sent(client, form_of(shirt), **{"variants-0-title": "Small", "variants-1-DELETE": "on"})
        values = row(values, "variants", title="Large", sku="", variant_rank="2", **{f"option_{size.pk}": large.pk})
        submit(client, form_of(shirt), values)
        rows = ProductVariant.objects.not_deleted().order_by("variant_rank")
        assert list(rows.values_list("title", "sku", "options__value")) == [
            ("Small", "shirt-S", "S"),
            ("Large", None, "L"),
        ]
        assert ProductVariant.objects.get(title="M").deleted_at is not None

    def test_a_variant_has_one_value_of_each_option_and_no_twin(self):
        shirt, client = a_shirt(), superuser()
        field = f"option_{shirt.options.get().pk}"
        small = shirt.options.get().values.get(value="S")
        twin = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{f"variants-1-{field}": small.pk})))
        assert twin == {f"variants-1-{field}": ["The variants 'S' and 'M' would have the same option values"]}
        none = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{f"variants-1-{field}": ""})))
        assert none == {f"variants-1-{field}": ["This field is required."]}
        other = OptionFactory(values=["S"]).values.get()
        strange = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{f"variants-1-{field}": other.pk})))
        assert list(strange) == [f"variants-1-{field}"]

    def test_codes_are_unique_and_empty_ones_are_none(self):
        shirt, client = a_shirt(), superuser()
        VariantFactory(sku="cup")
        taken = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{"variants-0-sku": "cup"})))
        assert taken == {"variants-0-sku": ["Another product variant has this sku."]}
        new = {"variants-0-sku": "one", "variants-1-sku": "one"}
        repeated = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **new)))
        assert repeated == {"variants-1-sku": ["Another row has the same value."]}
        submit(client, form_of(shirt), sent(client, form_of(shirt), **{"variants-0-sku": "", "variants-1-sku": " "}))
        assert list(shirt.variants.values_list("sku", flat=True)) == [None, None]

    def test_a_new_option_gives_its_first_value_to_the_variants(self):
        shirt, client = a_shirt(), superuser()
        submit(client, form_of(shirt), row(sent(client, form_of(shirt)), "options", title="Colour", values="Red\nBlue"))
        chosen = {
            tuple(variant.options.order_by("pk").values_list("value", flat=True)) for variant in shirt.variants.all()
        }
        assert chosen == {("S", "Red"), ("M", "Red")}

    def test_what_variants_have_or_differ_in_stays(self):
        shirt, client = a_shirt(), superuser()
        used = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{"options-0-values": "S"})))
        assert used == {"options-0-values": ["'M' is used by the variant 'M' and cannot be removed."]}
        needed = errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{"options-0-DELETE": "on"})))
        assert needed == {"options": ["The variants 'S' and 'M' would have the same option values."]}
        assert shirt.options.get().deleted_at is None

    def test_a_part_of_another_product_is_not_taken(self):
        shirt, client = a_shirt(), superuser()
        strange = VariantFactory(title="Strange")
        values = sent(client, form_of(shirt), **{"variants-0-id": strange.pk, "variants-0-title": "Mine"})
        answer = client.post(form_of(shirt), values)
        assert errors(answer)["variants"] == [
            "A row of this table was deleted since this page was opened. Reload the page."
        ]
        assert sorted(ProductVariant.objects.values_list("title", flat=True)) == ["M", "S", "Strange"]

    @pytest.mark.parametrize("field", ["variants-0-id", "images-0-id", "options-0-id", "variants-0-product"])
    def test_keys_that_no_database_can_hold_are_refused(self, field):
        shirt, client = a_shirt(), superuser()
        ImageFactory(product=shirt)
        assert errors(client.post(form_of(shirt), sent(client, form_of(shirt), **{field: "\0"})))

    @pytest.mark.parametrize("rank", ["-1", "99999999999999999999", "1.5", "first"])
    def test_odd_ranks_are_reported(self, rank):
        shirt, client = a_shirt(), superuser()
        answer = client.post(form_of(shirt), sent(client, form_of(shirt), **{"variants-0-variant_rank": rank}))
        assert list(errors(answer)) == ["variants-0-variant_rank"]


class TestDeletion:
    def test_parts_go_along_and_come_back(self):
        shirt, client = a_shirt(), superuser()
        early = VariantFactory(product=shirt, title="Early")
        client.post(f"/admin/catalog/productvariant/{early.pk}/delete/", {"post": "yes"})
        assert b"Delete this product?" in client.get(f"{LIST}{shirt.pk}/delete/").content
        client.post(f"{LIST}{shirt.pk}/delete/", {"post": "yes"})
        assert not Product.objects.not_deleted().exists()
        assert not ProductVariant.objects.not_deleted().exists()
        assert not ProductOption.objects.not_deleted().exists()
        assert reported(client.post(f"{LIST}{shirt.pk}/restore/", {"post": "yes"}))[-1] == "1 product restored."
        assert sorted(ProductVariant.objects.not_deleted().values_list("title", flat=True)) == ["M", "S"]
        assert shirt.options.get().values.filter(deleted_at=None).count() == 2
        assert history()[1:] == [("Shirt", 3), ("Shirt", 2)]

    def test_handle_and_codes_become_free_and_forbid_the_return(self):
        shirt, client = a_shirt(), superuser()
        client.post(f"{LIST}{shirt.pk}/delete/", {"post": "yes"})
        again = ProductFactory(handle="shirt")
        answer = client.post(f"{LIST}{shirt.pk}/restore/", {"post": "yes"})
        assert reported(answer)[-1:] == ["Shirt: Product with handle: shirt already exists"]
        Product.objects.filter(pk=again.pk).update(handle="another")
        VariantFactory(sku="shirt-M")
        answer = client.post(f"{LIST}{shirt.pk}/restore/", {"post": "yes"})
        assert reported(answer)[-1:] == ["Shirt: Product variant with sku: shirt-M already exists"]
        assert Product.objects.get(pk=shirt.pk).deleted_at is not None
        assert not shirt.variants.filter(deleted_at=None).exists()

    def test_a_deleted_product_is_read_only(self):
        shirt, client = a_shirt(), superuser()
        client.post(f"{LIST}{shirt.pk}/delete/", {"post": "yes"})
        assert b'name="_save"' not in client.get(form_of(shirt)).content
        assert client.post(form_of(shirt), {"title": "Mine"}).status_code == 403


class TestPermissions:
    def test_each_screen_demands_its_own(self):
        shirt = a_shirt()
        assert visitor().get(LIST).status_code == 403
        looks = visitor("catalog.view_product")
        assert looks.get(form_of(shirt)).status_code == 200
        assert looks.post(form_of(shirt), {"title": "Mine"}).status_code == 403
        assert looks.post(f"{LIST}{shirt.pk}/delete/", {"post": "yes"}).status_code == 403
        assert looks.get(ADD).status_code == 403

    def test_a_user_who_may_change_products_alone_sees_and_changes_no_variants(self):
        shirt = a_shirt()
        changes = visitor("catalog.change_product")
        values = sent(changes, form_of(shirt), title="Blouse")
        assert not [name for name in values if name.startswith("variants")]
        submit(changes, form_of(shirt), values)
        assert Product.objects.get().title == "Blouse"

    def test_parts_that_may_only_be_seen_are_not_written(self):
        shirt = a_shirt()
        client = visitor("catalog.change_product", "catalog.view_productvariant")
        values = sent(client, form_of(shirt), **{"variants-0-title": "Mine", "variants-0-DELETE": "on"})
        client.post(form_of(shirt), values)
        assert sorted(ProductVariant.objects.not_deleted().values_list("title", flat=True)) == ["M", "S"]


class TestManyVariants:
    def test_pages_of_variants_are_changed_one_at_a_time_and_compared_with_all(self):
        client, size = superuser(), OptionFactory(title="Size", values=[f"{number:02}" for number in range(30)])
        values = list(size.values.order_by("pk"))
        for rank, value in enumerate(values[:28]):
            VariantFactory(product=size.product, title=value.value, options=[value], variant_rank=rank)
        second = f"{form_of(size.product)}&variants-page=2"
        shown = sent(client, second)
        assert shown["variants-TOTAL_FORMS"] == ["3"]
        submit(client, second, changed(shown, **{"variants-0-title": "Changed"}))
        assert ProductVariant.objects.get(title="Changed").variant_rank == 25
        assert ProductVariant.objects.not_deleted().count() == 28
        twin = changed(sent(client, second), **{f"variants-0-option_{size.pk}": values[0].pk})
        assert list(errors(client.post(second, twin))) == [f"variants-0-option_{size.pk}"]

    def test_counts_beside_the_filters(self):
        ProductFactory()
        assert superuser().get(f"{LIST}?_facets=True").status_code == 200
