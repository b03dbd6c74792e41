"""The verbs of a table follow from its declaration."""

from dataclasses import fields

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import PriceList, ProductTag
from catalog.products.labels import TAGS
from kit.domain.absent import ABSENT
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.domain.soft_deletion import ValueTaken
from kit.editing.verbs import RowVerbs
from kit.errors import Forbidden, InvalidData, NotFound
from orders.returns.return_reasons import editing as return_reasons
from shop.models import Store

pytestmark = pytest.mark.django_db


def test_a_state_has_the_columns_and_leaves_out_what_is_not_given() -> None:
    own = [field.name for field in fields(TAGS.state)][-2:]
    assert own == ["value", "metadata"]
    assert TAGS.state(value="tea").given_values() == {"value": "tea"}
    assert TAGS.state().value is ABSENT


def test_a_column_that_the_table_lacks_is_an_error_of_the_declaration() -> None:
    with pytest.raises(TypeError, match="PriceList has no colour, size"):
        RowVerbs(PriceList, ("title", "size", "colour"))
    RowVerbs(PriceList, ("title", "size"), extras=("size",))


def test_rows_are_deleted_and_restored_only_where_that_is_declared() -> None:
    verbs = RowVerbs(Store, ("name",))
    for verb in (verbs.delete, verbs.restore):
        with pytest.raises(NotImplementedError, match="Rows of Store are not"):
            verb(actor=SYSTEM, ids=[Store.objects.get().pk])


def test_one_row_is_created_and_changed_and_its_metadata_is_merged() -> None:
    tag = TAGS.create(actor=SYSTEM, value="tea", metadata={"a": 1, "b": 2})
    assert TAGS.update(actor=SYSTEM, id=tag.pk, value="teas", metadata={"b": "", "c": 3}) == tag
    assert ProductTag.objects.values("value", "metadata").get() == {"value": "teas", "metadata": {"a": 1, "c": 3}}
    TAGS.update(actor=SYSTEM, id=tag.pk, metadata=None)
    assert ProductTag.objects.get().metadata is None


def test_an_empty_text_is_no_metadata_of_a_new_row_either() -> None:
    TAGS.create(actor=SYSTEM, value="tea", metadata={"a": "", "b": 2})
    assert ProductTag.objects.get().metadata == {"b": 2}


def test_an_update_locks_what_the_verb_locks_before_the_row() -> None:
    """Others, such as deletions, lock in that order."""
    tag, before = TAGS.create(actor=SYSTEM, value="tea"), list[str]()
    verbs = RowVerbs(ProductTag, TAGS.columns, lock=lambda _: before.extend(each["sql"] for each in connection.queries))
    with CaptureQueriesContext(connection):
        verbs.update(actor=SYSTEM, id=tag.pk, metadata={"a": 1})
    assert not any("catalog_producttag" in sql for sql in before)


def test_a_refusal_of_one_row_is_that_of_its_first_fault() -> None:
    first, second = (TAGS.create(actor=SYSTEM, value=value) for value in ("tea", "cup"))
    with pytest.raises(ValueTaken):
        TAGS.create(actor=SYSTEM, value="tea")
    with pytest.raises(ValueTaken):
        TAGS.update(actor=SYSTEM, id=second.pk, value="tea")
    with pytest.raises(InvalidData, match="metadata"):
        TAGS.update(actor=SYSTEM, id=first.pk, metadata={"a": "x" * 100_000})
    with pytest.raises(NotFound, match=r"^Product tag with id: ptag_none was not found$"):
        TAGS.update(actor=SYSTEM, id="ptag_none", metadata={})


def test_who_may_not_learns_nothing_of_the_row() -> None:
    for changes in ({"value": "x"}, {"metadata": {}}):
        with pytest.raises(Forbidden):
            TAGS.update(actor=ANONYMOUS, id="ptag_none", **changes)
    with pytest.raises(Forbidden):
        TAGS.create(actor=ANONYMOUS, value="tea")


def test_a_missing_relation_is_named_as_programs_name_it() -> None:
    with pytest.raises(InvalidData, match=r"rr_x was not found, given by field 'parent_return_reason_id'$"):
        return_reasons.VERBS.create(actor=SYSTEM, value="a", label="A", parent_return_reason_id="rr_x")


def test_a_parent_and_its_child_are_deleted_together_in_any_order() -> None:
    parent = return_reasons.VERBS.create(actor=SYSTEM, value="a", label="A")
    child = return_reasons.VERBS.create(actor=SYSTEM, value="b", label="B", parent_return_reason_id=parent.pk)
    return_reasons.VERBS.delete(actor=SYSTEM, ids=[parent.pk, child.pk])
    assert not type(parent)._default_manager.filter(deleted_at=None).exists()
