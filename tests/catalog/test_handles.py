"""Handles: derived from titles of any script, made fit for URLs, or refused."""

import pytest

from catalog import handles
from catalog.errors import HandleRequired
from catalog.models import ProductCollection
from catalog.products import labels
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused


@pytest.mark.parametrize(
    ("title", "handle"),
    [
        ("हिन्दी किताब", "हिन्दी-किताब"),
        ("เสื้อยืด สีแดง", "เสื้อยืด-สีแดง"),
        ("தமிழ் நூல்", "தமிழ்-நூல்"),
        ("বাংলা বই", "বাংলা-বই"),
        ("お茶 用品", "お茶-用品"),
        ("Crème brûlée", "crème-brûlée"),
        ("Cre\u0300me", "crème"),
        ("Tea ☕\ufe0f & Co.", "tea-co"),
        ("1\ufe0f\u20e3 first", "1-first"),
        ("☕\u0301 tea", "tea"),
        ("a_b -- c", "a_b-c"),
        ("_-x-_", "x"),
    ],
)
def test_a_handle_has_the_letters_of_its_title(title: str, handle: str) -> None:
    assert handles.handle_of(title) == handle
    assert handles.problem(handle) is None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a/b", "a-b"),
        ("sp ace", "sp-ace"),
        ("%41", "41"),
        ("Upper-Case", "upper-case"),
        ("what?#now", "what-now"),
        ("tea&coffee", "tea-coffee"),
        ("v1.0~beta_2", "v1.0~beta_2"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_a_handle_is_made_fit_for_urls(given: str, kept: str) -> None:
    assert handles.normalized(given) == handles.normalized_if_possible(given) == kept


def test_nothing_is_made_of_a_handle_without_letters() -> None:
    assert handles.normalized_if_possible("/") == "/"
    with pytest.raises(HandleRequired):
        handles.normalized("..")


@pytest.mark.parametrize("handle", ["a/b", "sp ace", "a%41", "Upper", "É", "a?b", "a#b", "a<b", ".", "..", "a\tb"])
@pytest.mark.django_db
def test_a_verb_refuses_what_urls_cannot_hold_and_keeps_what_is_stored(handle: str) -> None:
    with pytest.raises(RowsRefused) as refusal:
        labels.COLLECTIONS.put(actor=SYSTEM, states=[labels.COLLECTIONS.state(title="Tea", handle=handle)])
    fault = refusal.value.faults[0]
    assert fault.field == "handle"
    old = ProductCollection.objects.create(title="Tea", handle=handle)
    labels.COLLECTIONS.put(actor=SYSTEM, states=[labels.COLLECTIONS.state(id=old.pk, title="Other", handle=handle)])
    with pytest.raises(RowsRefused):
        labels.COLLECTIONS.put(actor=SYSTEM, states=[labels.COLLECTIONS.state(id=old.pk, handle=f"{handle}/")])
