"""Images, options and variants as the tables of a product's page write them: many rows by the same few statements."""

from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from catalog.errors import DuplicateVariants, OptionValueInUse
from catalog.models import Product, ProductImage, ProductOption, ProductVariant
from catalog.products import image_editing, option_editing
from catalog.products.product_editing import details, variant_details
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.editing.states import RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import Forbidden, NotFound
from pictures.errors import UnusablePicture
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.kit.admin.forms import row, sent, submit
from tests.kit.admin.test_history import history
from tests.kit.admin.visits import superuser
from tests.pictures.files import PictureFactory

pytestmark = pytest.mark.django_db
MANY = {"postgresql": 100, "sqlite": 20}
"""SQLite limits the values of a statement, so Django splits those for a hundred rows."""


def ids(verbs: RowVerbs, states: Sequence[object]) -> list[str]:
    return [edited.row.pk for edited in verbs.put(actor=SYSTEM, states=states)]


def faults(refused: pytest.ExceptionInfo[RowsRefused]) -> list[tuple[int, str, type]]:
    return [(fault.index, fault.field, type(fault.error)) for fault in refused.value.faults]


def costs_the_same_for_many(write: Callable[[int], CaptureQueriesContext]) -> bool:
    """write: writes that many rows, and returns its statements."""
    return len(write(5)) == len(write(MANY[connection.vendor]))


class TestImages:
    def test_five_cost_as_many_statements_as_a_hundred(self) -> None:
        product = ProductFactory().pk

        def write(amount: int) -> CaptureQueriesContext:
            with CaptureQueriesContext(connection) as captured:
                made = ids(
                    image_editing.VERBS,
                    [image_editing.VERBS.state(product_id=product, url=f"/media/{n}") for n in range(amount)],
                )
                ids(
                    image_editing.VERBS,
                    [image_editing.VERBS.state(id=key, url="/media/new", rank=None) for key in made],
                )
                image_editing.VERBS.delete(actor=SYSTEM, ids=made)
            assert ProductImage.objects.filter(pk__in=made, url="/media/new").count() == amount
            return captured

        assert costs_the_same_for_many(write)
        assert not ProductImage.objects.not_deleted().exists()

    def test_images_without_a_rank_come_last_in_their_order(self) -> None:
        product = ProductFactory().pk
        first, _ = ids(
            image_editing.VERBS,
            [image_editing.VERBS.state(product_id=product, url=f"/media/{url}", rank=7) for url in "ab"],
        )
        ids(
            image_editing.VERBS,
            [
                image_editing.VERBS.state(product_id=product, url="/media/c"),
                image_editing.VERBS.state(id=first, rank=None),
                image_editing.VERBS.state(product_id=product, url="/media/d", rank=9),
                image_editing.VERBS.state(product_id=ProductFactory().pk, url="/media/other"),
            ],
        )
        ranks = {image.url.removeprefix("/media/"): image.rank for image in ProductImage.objects.all()}
        assert ranks == {"b": 7, "d": 9, "c": 10, "a": 11, "other": 0}

    def test_a_picture_that_cannot_be_used_is_a_fault_of_its_row(self) -> None:
        product, missing = ProductFactory().pk, f"/media/{'0' * 64}.webp"
        with pytest.raises(RowsRefused) as refused:
            ids(
                image_editing.VERBS,
                [image_editing.VERBS.state(product_id=product, url=url) for url in ("https://x.example/a", missing)],
            )
        assert faults(refused) == [(1, "url", UnusablePicture)]
        assert not ProductImage.objects.exists()


def of_size(texts: Sequence[str]) -> ProductOption:
    """An option Size with these values, and a variant of each."""
    size = OptionFactory(product=ProductFactory(), title="Size", values=texts)
    for value in size.values.order_by("pk"):
        VariantFactory(product=size.product, title=value.value, options=[value])
    return size


def values_of(product: Product) -> dict[str, list[str]]:
    variants = product.variants.filter(deleted_at=None).order_by("pk")
    return {one.title: sorted(one.options.filter(deleted_at=None).values_list("value", flat=True)) for one in variants}


class TestOptions:
    def test_five_cost_as_many_statements_as_a_hundred(self) -> None:
        def write(amount: int) -> CaptureQueriesContext:
            products = [VariantFactory().product_id for _ in range(amount)]
            with CaptureQueriesContext(connection) as captured:
                made = ids(
                    option_editing.VERBS,
                    [
                        option_editing.VERBS.state(product_id=key, title="Colour", values=["Red", "Blue"])
                        for key in products
                    ],
                )
                ids(
                    option_editing.VERBS,
                    [option_editing.VERBS.state(id=key, title="Hue", values=["Red", "Green"]) for key in made],
                )
                option_editing.VERBS.delete(actor=SYSTEM, ids=made)
            return captured

        assert costs_the_same_for_many(write)
        assert not ProductOption.objects.not_deleted().exists()

    def test_variants_get_the_first_value_of_a_new_option_and_lose_it_with_the_option(self) -> None:
        product = of_size(["S", "M"]).product
        (colour,) = ids(
            option_editing.VERBS,
            [option_editing.VERBS.state(product_id=product.pk, title="Colour", values=["Red", "Blue"])],
        )
        assert values_of(product) == {"S": ["Red", "S"], "M": ["M", "Red"]}
        option_editing.VERBS.delete(actor=SYSTEM, ids=[colour])
        assert values_of(product) == {"S": ["S"], "M": ["M"]}

    def test_values_that_are_replaced_are_deleted_and_others_stay(self) -> None:
        size = of_size(["S", "M"])
        ids(option_editing.VERBS, [option_editing.VERBS.state(id=size.pk, values=["S", "M", "L"])])
        kept = dict(size.values.values_list("value", "pk"))
        (edited,) = option_editing.VERBS.put(
            actor=SYSTEM, states=[option_editing.VERBS.state(id=size.pk, values=["S", "M"])]
        )
        assert edited.is_changed
        assert dict(size.values.filter(deleted_at=None).values_list("value", "pk")) == {
            text: kept[text] for text in ("S", "M")
        }
        (edited,) = option_editing.VERBS.put(
            actor=SYSTEM, states=[option_editing.VERBS.state(id=size.pk, values=["S", "M"])]
        )
        assert not edited.is_changed

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ([], "An option needs a value"),
            (["S", "S", "M"], "'S' is repeated"),
            (["S", "M", " "], "The value ' ' must not be blank"),
            (["M"], "'S' is used by the variant 'S' and cannot be removed"),
        ],
    )
    def test_a_fault_names_its_row(self, values: list[str], message: str) -> None:
        size, other = of_size(["S", "M"]), OptionFactory(values=["A"])
        with pytest.raises(RowsRefused) as refused:
            ids(
                option_editing.VERBS,
                [
                    option_editing.VERBS.state(id=other.pk, values=["B"]),
                    option_editing.VERBS.state(id=size.pk, values=values),
                ],
            )
        assert {(index, field) for index, field, _ in faults(refused)} == {(1, "values")}
        assert message in [fault.error.message for fault in refused.value.faults]
        assert list(other.values.filter(deleted_at=None).values_list("value", flat=True)) == ["A"]

    def test_the_option_that_distinguishes_variants_stays(self) -> None:
        size = of_size(["S", "M"])
        with pytest.raises(DuplicateVariants):
            option_editing.VERBS.delete(actor=SYSTEM, ids=[size.pk])
        assert values_of(size.product) == {"S": ["S"], "M": ["M"]}
        with pytest.raises(RowsRefused) as refused:
            ids(option_editing.VERBS, [option_editing.VERBS.state(id=size.pk, values=["L"])])
        assert faults(refused) == [(0, "values", OptionValueInUse)] * 2


class TestVariants:
    def test_five_cost_as_many_statements_as_a_hundred(self) -> None:
        def write(amount: int) -> CaptureQueriesContext:
            size = OptionFactory(product=ProductFactory(), values=[f"V{n}" for n in range(amount)])
            choices = size.values.order_by("pk").values_list("pk", flat=True)
            states = [
                variant_details.VERBS.state(product_id=size.product_id, title=f"T{n}", options=[choices[n]])
                for n in range(amount)
            ]
            with CaptureQueriesContext(connection) as captured:
                made = ids(variant_details.VERBS, states)
                ids(variant_details.VERBS, [variant_details.VERBS.state(id=key, allow_backorder=True) for key in made])
                variant_details.VERBS.delete(actor=SYSTEM, ids=made)
                variant_details.VERBS.restore(actor=SYSTEM, ids=made)
            assert size.product.variants.filter(deleted_at=None, allow_backorder=True).count() == amount
            return captured

        assert costs_the_same_for_many(write)

    def test_two_new_variants_without_options_are_the_same(self) -> None:
        product = ProductFactory()
        with pytest.raises(RowsRefused) as refused:
            ids(
                variant_details.VERBS,
                [variant_details.VERBS.state(product_id=product.pk, title=title) for title in "ab"],
            )
        assert faults(refused) == [(0, "options", DuplicateVariants)]
        assert not ProductVariant.objects.exists()

    def test_products_are_deleted_and_restored_together(self) -> None:
        def write(amount: int) -> CaptureQueriesContext:
            made = [VariantFactory().product_id for _ in range(amount)]
            with CaptureQueriesContext(connection) as captured:
                details.VERBS.delete(actor=SYSTEM, ids=made)
                assert not ProductVariant.objects.not_deleted().filter(product__in=made).exists()
                details.VERBS.restore(actor=SYSTEM, ids=made)
            assert ProductVariant.objects.not_deleted().filter(product__in=made).count() == amount
            return captured

        assert costs_the_same_for_many(write)


@pytest.mark.parametrize("verbs", [image_editing.VERBS, option_editing.VERBS])
def test_permissions_and_deleted_rows(verbs: RowVerbs) -> None:
    product = ProductFactory().pk
    state = (
        image_editing.VERBS.state(product_id=product, url="/media/a")
        if verbs is image_editing.VERBS
        else option_editing.VERBS.state(product_id=product, title="Size", values=["S"])
    )
    (key,) = ids(verbs, [state])
    for call in (
        lambda: verbs.put(actor=ANONYMOUS, states=[state]),
        lambda: verbs.put(actor=ANONYMOUS, states=[verbs.state(id=key)]),
        lambda: verbs.delete(actor=ANONYMOUS, ids=[key]),
    ):
        with pytest.raises(Forbidden):
            call()
    verbs.delete(actor=SYSTEM, ids=[key])
    for call in (
        lambda: verbs.put(actor=SYSTEM, states=[verbs.state(id=key)]),
        lambda: verbs.delete(actor=SYSTEM, ids=[key]),
    ):
        with pytest.raises(NotFound):
            call()


def test_a_products_page_writes_all_rows_of_its_tables_at_once_and_says_so_in_the_history() -> None:
    """Statements that write; reading and checking take more."""
    client = superuser()

    def writes(amount: int) -> int:
        size = OptionFactory(product=ProductFactory(), title="Size", values=[f"V{n}" for n in range(amount)])
        page = f"/admin/catalog/product/{size.product_id}/change/?tables=1"
        values = sent(client, page)
        for value in size.values.order_by("pk"):
            values = row(values, "variants", title=value.value, variant_rank="0", **{f"option_{size.pk}": value.pk})
            values = row(values, "images", url=f"https://x.example/{value.value}")
        with CaptureQueriesContext(connection) as captured:
            submit(client, page, values)
        assert size.product.variants.count() == size.product.images.count() == amount
        texts = [query["sql"] for query in captured]
        return sum(text.startswith(("INSERT", "UPDATE", "COPY")) for text in texts)

    assert writes(2) == writes(12)
    assert "product variant “V11”" in history()[-1]


class TestThumbnails:
    def test_one_that_cannot_be_used_is_refused_at_its_field(self) -> None:
        stored = ProductFactory(thumbnail="/static/a.png").pk
        failed = PictureFactory(status="failed", reason="It is broken").path
        for address in (failed, f"/media/{64 * 'a'}.webp", "javascript:alert(1)", "//host/a.png", "a.png"):
            states = [
                details.VERBS.state(title="Mug", thumbnail=address),
                details.VERBS.state(id=stored, thumbnail=address),
            ]
            with pytest.raises(RowsRefused) as refused:
                details.VERBS.put(actor=SYSTEM, states=states)
            assert faults(refused) == [(0, "thumbnail", UnusablePicture), (1, "thumbnail", UnusablePicture)]
        assert Product.objects.get().thumbnail == "/static/a.png"

    def test_one_of_this_shop_is_stored_without_its_host(self, settings: Settings) -> None:
        settings.PUBLIC_URL = "https://shop.example"
        path = PictureFactory().path
        for handle, address in (("mug", path), ("cup", f"https://shop.example{path}")):
            (key,) = ids(details.VERBS, [details.VERBS.state(title="Mug", handle=handle, thumbnail=address)])
            assert Product.objects.get(pk=key).thumbnail == path

    def test_others_stay_as_they_are(self) -> None:
        (key,) = ids(details.VERBS, [details.VERBS.state(title="Mug", thumbnail="https://images.example/mug.png")])
        ids(details.VERBS, [details.VERBS.state(id=key, title="Cup")])
        assert Product.objects.get().thumbnail == "https://images.example/mug.png"
        ids(details.VERBS, [details.VERBS.state(id=key, thumbnail=None)])
        assert Product.objects.get().thumbnail is None
