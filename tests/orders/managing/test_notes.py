"""Notes of staff, and the triggers that keep them."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from giftcards.verification.verification import discrepancies
from kit.domain.actor import ANONYMOUS, Actor
from kit.errors import Forbidden
from kit.values.timestamps import now
from orders.common import note_triggers
from orders.managing import notes
from orders.models import Order, OrderNote
from tests.dropped_triggers import dropped
from tests.orders.managing.shop import history, refusal, staff
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None) -> Actor:
    return staff()


@pytest.fixture
def order(db: None) -> Order:
    return placed()


@pytest.fixture
def note(ann: Actor, order: Order) -> OrderNote:
    note_id = notes.add_note(actor=ann, order_id=order.pk, text="Call first\nthen ring")
    return OrderNote.objects.get(pk=note_id)


def test_a_note_says_who_wrote_it_and_when(ann: Actor, order: Order, note: OrderNote) -> None:
    assert (note.order, note.text, note.created_by) == (order, "Call first\nthen ring", ann.id)
    assert note.created_at >= order.created_at
    assert history(order) == ["Added a note."]
    before = order.version
    order.refresh_from_db()
    assert order.version == before


def test_only_staff_with_the_permission_see_it(ann: Actor, note: OrderNote) -> None:
    assert list(OrderNote.objects.visible_to(ann)) == [note]
    assert not OrderNote.objects.visible_to(Actor("user", ann.id)).exists()
    assert not OrderNote.objects.visible_to(ANONYMOUS).exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (" \n", "must not be blank"),
        ("a\0", "must not contain NUL characters"),
        ("x" * 5_001, "too long, expected at most: '5000' characters"),
    ],
)
def test_texts_that_are_refused(ann: Actor, order: Order, text: str, fault: str) -> None:
    message = f"Value for field 'text' {fault}"
    assert refusal(notes.add_note, actor=ann, order_id=order.pk, text=text) == ("invalid_data", message)


def test_the_permission_and_unknown_orders(ann: Actor, order: Order) -> None:
    assert refusal(notes.add_note, actor=ann, order_id="order_none", text="Hi")[0] == "not_found"
    with pytest.raises(Forbidden, match=r"orders\.add_ordernote"):
        notes.add_note(actor=Actor("user", ann.id), order_id=order.pk, text="Hi")


@pytest.mark.parametrize(
    "changes", [{"text": "Other"}, {"created_by": None}, {"text": "", "created_by": None}, {"created_at": now()}]
)
def test_a_note_is_not_changed(note: OrderNote, changes: dict[str, Any]) -> None:
    with pytest.raises(DatabaseError, match=note_triggers.NOTE_STAYS), transaction.atomic():
        OrderNote.objects.filter(pk=note.pk).update(**changes)


def test_a_note_is_not_deleted_and_is_not_created_without_a_text(order: Order, note: OrderNote) -> None:
    with pytest.raises(DatabaseError, match=note_triggers.NOTE_STAYS), transaction.atomic():
        note.delete()
    with pytest.raises(DatabaseError, match=note_triggers.NOTE_HAS_TEXT), transaction.atomic():
        OrderNote.objects.create(order=order, text=" ")


def test_erasure_empties_the_text(note: OrderNote) -> None:
    OrderNote.objects.filter(pk=note.pk).update(text="")
    note.refresh_from_db()
    assert note.text == ""


def test_a_missing_trigger_is_reported() -> None:
    assert note_triggers.missing(connection) == []
    trigger = note_triggers.TRIGGERS[connection.vendor][0]
    with dropped(trigger):
        assert list(discrepancies()) == [f"The trigger {trigger.name} is missing"]
