"""Tax rates and what they are for, by their verbs."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.domain.soft_deletion import ParentDeleted
from kit.editing.states import RowsRefused, RowState
from kit.errors import Duplicate, Forbidden, NotFound
from kit.values.timestamps import now
from taxes.editing import tax_rate_editing, tax_region_editing
from taxes.editing.tax_rate_editing import VERBS
from taxes.models import TaxRate, TaxRegion
from tests.factories.fulfillment import option
from tests.factories.products import ProductFactory, ProductTypeFactory
from tests.factories.taxes import tax_rate, tax_region

pytestmark = pytest.mark.django_db


def put(*states: RowState) -> list[TaxRate]:
    return [edited.row for edited in VERBS.put(actor=SYSTEM, states=states)]


def refused(*states: RowState) -> list[tuple[int, str, str]]:
    before = rows()
    with pytest.raises(RowsRefused) as refusal:
        put(*states)
    assert rows() == before
    return [(fault.index, fault.field, fault.error.message) for fault in refusal.value.faults]


def rows() -> list[Any]:
    rates = TaxRate.objects.order_by("pk").prefetch_related("rules")
    return [(rate.pk, rate.updated_at, rate.is_default, goods_of(rate)) for rate in rates]


def goods_of(rate: TaxRate) -> set[tuple[str, str]]:
    return {*rate.rules.filter(deleted_at=None).values_list("reference", "reference_id")}


def new(place: TaxRegion, name: str = "Reduced", **given: Any) -> tax_rate_editing.VERBS.state:
    return tax_rate_editing.VERBS.state(tax_region_id=place.pk, name=name, **{"rate": Decimal(7), **given})


def test_the_statements_of_a_refused_batch_do_not_grow_with_its_pairs() -> None:
    place, book = tax_region("de"), ProductFactory()
    states = [new(place, f"Rate {number}", products=[book.pk]) for number in range(20)]
    with CaptureQueriesContext(connection) as queries:
        faults = refused(*states)
    assert [fault[:2] for fault in faults] == [(index, "products") for index in range(1, 20)]
    assert len(queries) < 60  # of 190 pairs


def test_a_rate_is_for_products_types_and_shipping_options() -> None:
    book, books, parcel = ProductFactory(), ProductTypeFactory(), option()
    [rate] = put(
        new(
            tax_region("de"),
            code="reduced",
            metadata={"a": 1},
            products=[book.pk],
            product_types=[books.pk],
            shipping_options=[parcel.pk],
        )
    )
    rate.refresh_from_db()
    assert (rate.name, rate.code, rate.rate, rate.is_default, rate.metadata) == (
        *("Reduced", "reduced", Decimal(7), False),
        {"a": 1},
    )
    assert goods_of(rate) == {("product", book.pk), ("product_type", books.pk), ("shipping_option", parcel.pk)}


def test_its_goods_are_replaced_kind_by_kind() -> None:
    book, books, food = ProductFactory(), ProductTypeFactory(), ProductTypeFactory()
    rate = tax_rate("de", 7, products=[book], types=[books])
    [edited] = VERBS.put(actor=SYSTEM, states=[tax_rate_editing.VERBS.state(id=rate.pk, product_types=[food.pk])])
    assert edited.is_changed
    assert goods_of(rate) == {("product", book.pk), ("product_type", food.pk)}
    [edited] = VERBS.put(
        actor=SYSTEM, states=[tax_rate_editing.VERBS.state(id=rate.pk, product_types=[food.pk], name="VAT")]
    )
    assert not edited.is_changed


def test_deleted_goods_are_kept_and_do_not_block_changes() -> None:
    book, mug = ProductFactory(), ProductFactory()
    rate = tax_rate("de", 7, products=[book])
    type(book).objects.filter(pk=book.pk).update(deleted_at=now())
    put(tax_rate_editing.VERBS.state(id=rate.pk, name="Books", products=[book.pk]))
    put(tax_rate_editing.VERBS.state(id=rate.pk, products=[]))
    assert goods_of(rate) == {("product", book.pk)}
    put(tax_rate_editing.VERBS.state(id=rate.pk, products=[mug.pk]))
    assert goods_of(rate) == {("product", book.pk), ("product", mug.pk)}
    put(tax_rate_editing.VERBS.state(id=rate.pk, is_default=True, products=[]))
    assert goods_of(rate) == set()


def test_unknown_and_deleted_goods_are_refused_at_their_field() -> None:
    gone = ProductTypeFactory(deleted_at=now())
    germany = tax_region("de")
    assert refused(
        new(germany, products=["prod_x", "prod_y"]),
        new(germany, product_types=[gone.pk]),
        new(germany, shipping_options=["so_x"]),
    ) == [
        (0, "products", "Product with id: prod_x, prod_y was not found, given by field 'products'"),
        (1, "product_types", f"Product type with id: {gone.pk} was not found, given by field 'product_types'"),
        (2, "shipping_options", "Shipping option with id: so_x was not found, given by field 'shipping_options'"),
    ]


def test_a_rate_is_the_default_or_for_certain_goods() -> None:
    books, germany = ProductTypeFactory(), tax_region("de")
    goods = "products, product types or shipping options"
    assert refused(new(germany), new(germany, is_default=True, product_types=[books.pk])) == [
        (0, "is_default", f"A rate needs {goods}, unless 'is_default' is true"),
        (1, "is_default", f"A default rate cannot have {goods}"),
    ]
    reduced = tax_rate("de", 7, types=[books])
    assert [fault[1] for fault in refused(tax_rate_editing.VERBS.state(id=reduced.pk, product_types=[]))] == [
        "is_default"
    ]
    assert [fault[1] for fault in refused(tax_rate_editing.VERBS.state(id=reduced.pk, is_default=True))] == [
        "is_default"
    ]
    put(tax_rate_editing.VERBS.state(id=reduced.pk, is_default=True, product_types=[]))
    assert goods_of(reduced) == set()


def test_only_a_provinces_rate_is_added_to_another() -> None:
    said = "Field 'is_combinable' is only for rates of provinces"
    assert refused(new(tax_region("ca"), is_default=True, is_combinable=True)) == [(0, "is_combinable", said)]
    [rate] = put(new(tax_region("ca", "ca-qc"), is_default=True, is_combinable=True))
    assert rate.is_combinable


def test_a_place_has_one_default_which_is_named() -> None:
    tax_rate("de", 19, name="Standard")
    germany = tax_region("de")
    assert refused(new(germany, "Second", is_default=True)) == [
        (0, "is_default", "Germany already has a default rate, 'Standard'")
    ]
    france = tax_region("fr")
    assert refused(new(france, "A", is_default=True), new(france, "B", is_default=True)) == [
        (1, "is_default", "France already has a default rate, 'A'")
    ]


def test_two_rates_can_swap_default_and_goods_in_one_call() -> None:
    books = ProductTypeFactory()
    standard, reduced = tax_rate("de", 19), tax_rate("de", 7, types=[books])
    for default, special in ((reduced, standard), (standard, reduced)):
        put(
            tax_rate_editing.VERBS.state(id=default.pk, is_default=True, product_types=[]),
            tax_rate_editing.VERBS.state(id=special.pk, is_default=False, product_types=[books.pk]),
        )
        assert goods_of(special) == {("product_type", books.pk)}
        assert goods_of(default) == set()
        assert TaxRate.objects.get(is_default=True) == default


def test_the_same_goods_in_two_rates_of_a_place_are_refused_by_both_names() -> None:
    books, food = ProductTypeFactory(value="Books"), ProductTypeFactory(value="Food")
    tax_rate("de", 7, types=[books], name="Reduced")
    germany = tax_region("de")
    assert refused(new(germany, "Books", product_types=[books.pk, food.pk])) == [
        (0, "product_types", "Two rates of Germany are for the product type 'Books': 'Reduced' and 'Books'")
    ]
    put(new(tax_region("de", "de-by"), product_types=[books.pk]), new(tax_region("fr"), product_types=[books.pk]))


def test_goods_move_from_one_rate_to_another_in_one_call() -> None:
    books, food = ProductTypeFactory(), ProductTypeFactory()
    old = tax_rate("de", 7, types=[books, food])
    _, made = put(
        tax_rate_editing.VERBS.state(id=old.pk, product_types=[food.pk]),
        new(tax_region("de"), "Books", product_types=[books.pk]),
    )
    assert (goods_of(old), goods_of(made)) == ({("product_type", food.pk)}, {("product_type", books.pk)})


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"province": None, "code": "gst"}, "The rate 'GST' already has the code 'gst'"),
        ({"province": "ca-qc", "code": "gst"}, "The rate 'GST' already has the code 'gst'"),
        ({"province": "ca-qc", "code": "gst", "is_combinable": False}, None),
        ({"province": "ca-on", "code": "qst"}, None),
        ({"province": "ca-qc", "code": "qst"}, "The rate 'QST' already has the code 'qst'"),
        ({"province": "ca-qc", "code": None}, None),
        ({"province": None, "code": "ca-on"}, "The rate 'PST' already has the code 'ca-on'"),
        ({"province": None, "code": "CA-ON"}, None),
    ],
)
def test_taxes_of_one_line_need_different_codes(given: dict[str, Any], refusal: str | None) -> None:
    tax_rate("ca", 5, name="GST", code="gst")
    tax_rate("ca", 9.975, "ca-qc", name="QST", code="qst", is_combinable=True)
    tax_rate("ca", 8, "ca-on", name="PST", is_combinable=True)
    place = tax_region("ca", given.pop("province"))
    is_combinable = place.province is not None
    state = new(place, product_types=[ProductTypeFactory().pk], **{"is_combinable": is_combinable, **given})
    if refusal is None:
        put(state)
    else:
        assert refused(state) == [(0, "code", refusal)]


def test_making_a_rate_combinable_checks_its_code() -> None:
    tax_rate("ca", 5, code="gst")
    quebec = tax_rate("ca", 9.975, "ca-qc", code="gst", name="QST")
    assert refused(tax_rate_editing.VERBS.state(id=quebec.pk, is_combinable=True)) == [
        (0, "code", "The rate 'VAT' already has the code 'gst'")
    ]


@pytest.mark.parametrize(
    ("given", "field"),
    [({"rate": Decimal("1000.1")}, "rate"), ({"rate": Decimal("1.00001")}, "rate"), ({"name": " "}, "name"),
     ({"name": "x" * 256}, "name"), ({"code": "x" * 65}, "code"), ({"tax_region_id": "txreg_x"}, "tax_region")],
)  # fmt: skip
def test_bad_values_are_refused_at_their_field(given: dict[str, Any], field: str) -> None:
    state = {"tax_region_id": tax_region("de").pk, "name": "VAT", "rate": Decimal(19), "is_default": True, **given}
    assert [fault[1] for fault in refused(tax_rate_editing.VERBS.state(**state))] == [field]


def test_a_stored_rate_stays_in_its_tax_region() -> None:
    rate = tax_rate("de", 19)
    assert refused(tax_rate_editing.VERBS.state(id=rate.pk, tax_region_id=tax_region("fr").pk)) == [
        (0, "tax_region", "Field 'tax_region_id' of a stored rate cannot be changed")
    ]


def test_restoring_a_rate_restores_its_goods_unless_taken() -> None:
    books = ProductTypeFactory(value="Books")
    standard, reduced = tax_rate("de", 19, name="Standard"), tax_rate("de", 7, types=[books], name="Reduced")
    VERBS.delete(actor=SYSTEM, ids=[standard.pk, reduced.pk])
    assert (TaxRate.objects.not_deleted().count(), goods_of(reduced)) == (0, set())
    other = tax_rate("de", 20, name="Other")
    with pytest.raises(Duplicate, match="Germany already has a default rate, 'Other'"):
        VERBS.restore(actor=SYSTEM, ids=[standard.pk])
    another = tax_rate("de", 5, types=[books], name="Another")
    with pytest.raises(
        Duplicate, match="Two rates of Germany are for the product type 'Books': 'Another' and 'Reduced'"
    ):
        VERBS.restore(actor=SYSTEM, ids=[reduced.pk])
    VERBS.delete(actor=SYSTEM, ids=[other.pk, another.pk])
    VERBS.restore(actor=SYSTEM, ids=[standard.pk, reduced.pk])
    assert goods_of(reduced) == {("product_type", books.pk)}


def test_a_rate_of_a_deleted_region_cannot_be_restored() -> None:
    rate = tax_rate("de", 19)
    VERBS.delete(actor=SYSTEM, ids=[rate.pk])
    tax_region_editing.VERBS.delete(actor=SYSTEM, ids=[rate.tax_region_id])
    with pytest.raises(ParentDeleted, match="The tax region 'Germany' is deleted: restore it first"):
        VERBS.restore(actor=SYSTEM, ids=[rate.pk])


def test_permissions_are_required() -> None:
    rate = tax_rate("de", 19)
    for work in (
        lambda: VERBS.put(actor=ANONYMOUS, states=[tax_rate_editing.VERBS.state(id=rate.pk, name="X")]),
        lambda: VERBS.delete(actor=ANONYMOUS, ids=[rate.pk]),
        lambda: VERBS.restore(actor=ANONYMOUS, ids=[rate.pk]),
    ):
        with pytest.raises(Forbidden):
            work()


@pytest.mark.parametrize("id", ["txr_none", "a\0b"])
def test_an_unknown_id_is_named_in_the_error(id: str) -> None:
    for work in (
        lambda: put(tax_rate_editing.VERBS.state(id=id)),
        lambda: VERBS.delete(actor=SYSTEM, ids=[id]),
        lambda: VERBS.restore(actor=SYSTEM, ids=[id]),
    ):
        with pytest.raises(NotFound):
            work()
