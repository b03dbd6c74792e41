"""Applying imports: what changed meanwhile is left, refusals concern one product, and a kill costs nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from catalog.models import Product, ProductTag, ProductVariant
from catalog.nested_writes import products
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.jobs.work import TurnLost
from kit.messages.outbox.models import Event
from kit.spreadsheets import applying
from kit.spreadsheets.applying import NotPreviewed, apply, confirm
from kit.spreadsheets.files import FileGone, discard
from kit.spreadsheets.uploads import ImportStarted, change
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file, uploaded
from tests.factories.actors import staff_actor
from tests.factories.products import ProductFactory, VariantFactory

pytestmark = pytest.mark.django_db
HEADER = "Product Handle,Product Title,Variant SKU,Variant Price EUR"
ROWS = [f"thing-{number},Thing {number},T{number},{number}.50" for number in range(1, 31)]


def test_a_product_that_changed_since_the_preview_is_left() -> None:
    applied(lines(HEADER, *ROWS[:2]))
    one = previewed(lines(HEADER, "thing-1,One,T1,2", "thing-2,Two,T2,2"))
    products.VERBS.update(actor=SYSTEM, id=Product.objects.get(handle="thing-1").pk, title="Uno")

    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 1, "skipped": 1}
    assert [*Product.objects.order_by("handle").values_list("title", flat=True)] == ["Uno", "Two"]
    assert [(result.row, result.label, result.action) for result in one.results.all()] == [
        (2, "One", "skipped"),
        (3, "Two", "changed"),
    ]


def test_a_product_that_was_made_since_the_preview_is_left() -> None:
    one = previewed(lines(HEADER, ROWS[0]))
    ProductFactory.create(handle="thing-1", title="Mine")

    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    assert Product.objects.get().title == "Mine"


@pytest.fixture
def planned_before_it_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans do not see codes that others have: as if they got them after it."""
    monkeypatch.setattr("catalog.spreadsheets.products.refuse_taken", lambda planned: None)


@pytest.mark.usefixtures("planned_before_it_was_taken")
def test_a_refused_product_leaves_the_others_of_its_batch() -> None:
    VariantFactory.create(sku="T7")

    one = applied(lines(HEADER, *ROWS))

    assert one.done == {"new": 29, "problem": 1}
    refused = one.results.get(action="problem")
    assert (refused.row, refused.label, refused.about) == (8, "Thing 7", "")
    assert "sku" in refused.text
    assert not Product.objects.filter(handle="thing-7").exists()


@pytest.mark.usefixtures("planned_before_it_was_taken")
def test_a_label_of_a_refused_product_is_made_again_for_the_next_one() -> None:
    VariantFactory.create(sku="T1")
    one = applied(lines(f"{HEADER},Product Tag 1", f"{ROWS[0]},new", f"{ROWS[1]},new"))

    assert one.done == {"new": 1, "problem": 1}
    assert ProductTag.objects.get().products.get().handle == "thing-2"


def test_what_does_not_differ_is_not_written() -> None:
    applied(lines(HEADER, *ROWS))
    Event.objects.all().delete()
    moments = [*Product.objects.order_by("pk").values_list("updated_at", flat=True)]

    assert applied(lines(HEADER, *ROWS)).done == {"unchanged": 30}

    assert [*Product.objects.order_by("pk").values_list("updated_at", flat=True)] == moments
    assert not Event.objects.exists()


@pytest.mark.parametrize("place", ["before the record", "after the commit"])
def test_a_killed_import_continues_behind_its_last_batch(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "_MOST", 20)
    monkeypatch.setattr(applying, "_LEAST", 5)
    monkeypatch.setattr(applying, "_SECONDS", 60)  # on a busy machine, too
    applied(lines(HEADER, *ROWS[:10]))
    first = exported()
    one = previewed(lines(HEADER, *(row.replace("Thing", "Object") for row in ROWS)))
    confirm(one)
    with pytest.raises(TurnLost):
        apply(one, actor=SYSTEM, **{"keep" if place == "before the record" else "report": _stopping(at=2)})
    done = one.position
    one.refresh_from_db()

    assert one.position == done == (5 if place == "before the record" else 15)
    assert Product.objects.filter(title__startswith="Object").count() == done
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 10, "new": 20}
    assert Product.objects.count() == 30
    assert [result.row for result in one.results.order_by("row")] == [*range(2, 32)]
    assert len(spreadsheet(undo_file(one))) == 10
    Product.objects.filter(pk__in=one.results.filter(action="new").values("about")).delete()
    applied(undo_file(one))
    assert exported() == first


def test_a_batch_has_few_products_where_they_have_many_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "_MOST", 40)
    monkeypatch.setattr(applying, "_LEAST", 10)
    monkeypatch.setattr(applying, "_SECONDS", 60)
    rows = [f"t-{one},Thing,Size,{size},{one}-{size},5" for one in range(9) for size in range(8)]
    one = previewed(lines("Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price USD", *rows))
    confirm(one)
    places = []

    apply(one, actor=SYSTEM, report=lambda done, total: places.append(done))

    assert places == [2, 6, 9]  # as soon as there are 10 rows, then 32, then 40
    assert one.done == {"new": 9}


def _stopping(*, at: int) -> Callable[..., None]:
    calls = []

    def stop(*_: Any) -> None:
        calls.append(None)
        if len(calls) == at:
            raise TurnLost

    return stop


def test_only_a_preview_is_confirmed_and_only_once() -> None:
    one = uploaded(lines(HEADER, ROWS[0]))
    with pytest.raises(NotPreviewed):
        confirm(one)
    one = previewed(lines(HEADER, ROWS[0]))
    change(one, actor=SYSTEM, reading={"separator": "comma"})
    with pytest.raises(NotPreviewed):
        confirm(one)
    one = previewed(lines(HEADER, ROWS[0]))
    confirm(one)
    with pytest.raises(NotPreviewed):
        confirm(one)
    with pytest.raises(ImportStarted):
        change(one, actor=SYSTEM, reading={"separator": "tab"})


def test_a_file_that_is_gone_says_so() -> None:
    one = previewed(lines(HEADER, ROWS[0]))
    discard(one.pk)
    confirm(one)

    with pytest.raises(FileGone):
        apply(one, actor=SYSTEM)


def test_permissions_are_those_of_who_applies() -> None:
    may_not = staff_actor("catalog.view_product")
    with pytest.raises(Forbidden):
        uploaded(lines(HEADER, ROWS[0]), actor=may_not)
    one = previewed(lines(HEADER, ROWS[0]))
    confirm(one)
    with pytest.raises(Forbidden):
        apply(one, actor=may_not)

    apply(one, actor=staff_actor("catalog.add_product", "catalog.change_product"))
    assert one.done == {"problem": 1}
    assert one.results.get().text == "The permission 'catalog.add_productvariant' is required"


def test_new_variants_of_a_changed_product_are_listed() -> None:
    applied(lines("Product Handle,Product Title,Variant SKU,Option1 Name,Option1 Value", "tee,Tee,A,Size,S"))

    one = applied(lines("Product Handle,Variant SKU,Option1 Name,Option1 Value", "tee,A,Size,S", "tee,B,Size,M"))

    assert one.done == {"changed": 1}
    added = one.results.get(is_addition=True)
    assert (added.about, added.label) == (ProductVariant.objects.get(sku="B").pk, "Tee: M")
    with transaction.atomic():
        assert [*Product.objects.get().options.get().values.values_list("value", flat=True)] == ["S", "M"]
