"""Deleting single variants and bringing them back."""

import pytest

from catalog import errors
from catalog.models import Product, ProductVariant
from catalog.products import option_editing
from catalog.products.product_editing import details, variant_details
from kit.domain.actor import SYSTEM, Actor
from kit.domain.soft_deletion import NotDeleted, ValueTaken
from kit.errors import Forbidden, NotFound
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.kit.admin.visits import reported, superuser

pytestmark = pytest.mark.django_db


@pytest.fixture
def shirt() -> Product:
    """With sizes S and M, and a variant of each."""
    size = OptionFactory(product=ProductFactory(title="Shirt"), title="Size", values=["S", "M"])
    for value in size.values.order_by("pk"):
        VariantFactory(product=size.product, title=value.value, sku=value.value, options=[value])
    return size.product


def of_size(size: str) -> ProductVariant:
    return ProductVariant.objects.get(title=size)


def delete(variant_id: str) -> None:
    variant_details.VERBS.delete(actor=SYSTEM, ids=[variant_id])


def restore(variant_id: str) -> None:
    variant_details.VERBS.restore(actor=SYSTEM, ids=[variant_id])


def values_of(variant: ProductVariant) -> list[str]:
    return sorted(variant.options.filter(deleted_at=None).values_list("value", flat=True))


def test_a_variant_goes_and_comes_back(shirt):
    delete(of_size("S").pk)
    assert [variant.title for variant in shirt.variants.filter(deleted_at=None)] == ["M"]

    restore(of_size("S").pk)

    assert (of_size("S").deleted_at, values_of(of_size("S"))) == (None, ["S"])


def test_each_is_done_once(shirt):
    with pytest.raises(NotDeleted):
        restore(of_size("S").pk)
    delete(of_size("S").pk)
    with pytest.raises(NotFound):
        delete(of_size("S").pk)
    with pytest.raises(NotFound):
        restore("variant_none")


def test_both_ask_for_their_permission(shirt):
    for verb in (variant_details.VERBS.delete, variant_details.VERBS.restore):
        with pytest.raises(Forbidden):
            verb(actor=Actor(type="customer", id="cus_1"), ids=[of_size("S").pk])
    assert of_size("S").deleted_at is None


def test_no_twin_of_another_comes_back(shirt):
    gone = of_size("S")
    delete(gone.pk)
    of_size("M").options.set(gone.options.all())

    with pytest.raises(errors.DuplicateVariants, match="would have the same option values"):
        restore(gone.pk)

    assert of_size("S").deleted_at is not None


def test_of_an_option_that_is_new_it_gets_the_first_value(shirt):
    gone = of_size("S")
    delete(gone.pk)
    colour = OptionFactory(product=shirt, title="Colour")
    option_editing.VERBS.put(actor=SYSTEM, states=[option_editing.VERBS.state(id=colour.pk, values=["Red", "Blue"])])

    restore(gone.pk)

    assert [values_of(of_size(size)) for size in "SM"] == [["Red", "S"], ["M", "Red"]]


def test_without_the_option_that_distinguished_them_it_stays_deleted(shirt):
    gone = of_size("S")
    delete(gone.pk)
    option_editing.VERBS.delete(actor=SYSTEM, ids=[shirt.options.get().pk])

    with pytest.raises(errors.DuplicateVariants):
        restore(gone.pk)


def test_a_taken_code_forbids_the_return(shirt):
    gone = of_size("S")
    delete(gone.pk)
    VariantFactory(sku="S")

    with pytest.raises(ValueTaken, match="Product variant with sku: S already exists"):
        restore(gone.pk)


def test_the_screen_tells_why_it_stays_deleted(shirt):
    client, small = superuser(), of_size("S")
    address = f"/admin/catalog/productvariant/{small.pk}/"
    client.post(f"{address}delete/", {"post": "yes"})
    of_size("M").options.set(small.options.all())
    (answer,) = reported(client.post(f"{address}restore/", {"post": "yes"}))[-1:]
    assert answer.endswith("would have the same option values")
    assert of_size("S").deleted_at is not None


def test_a_variant_of_a_deleted_product_comes_back_with_it_alone(shirt):
    details.VERBS.delete(actor=SYSTEM, ids=[shirt.pk])
    small = of_size("S")

    answer = superuser().post(f"/admin/catalog/productvariant/{small.pk}/restore/", {"post": "yes"})

    assert reported(answer)[-1].endswith("The product 'Shirt' is deleted: restore it first")
    assert of_size("S").deleted_at is not None
