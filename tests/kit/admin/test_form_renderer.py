"""Our renderer writes what the templates of Django and of the theme write."""

import re
from collections.abc import Callable

import pytest
from django import forms
from django.forms import Widget
from django.forms.renderers import DjangoTemplates, get_default_renderer
from unfold import widgets

from kit.admin.forms.form_renderer import FormRenderer

ATTRIBUTES = {"class": "wide", "required": True, "disabled": False, "data-note": '<a & "b">', "step": 0.5, "max": None}
CHOICES = [("", "—"), ("a", "A & B"), ("5", '"B"')]
KINDS: dict[str, Callable[[], Widget]] = {
    **{
        kind.__name__: lambda kind=kind: kind({**ATTRIBUTES})
        for kind in (
            *(forms.TextInput, forms.NumberInput, forms.CheckboxInput, forms.HiddenInput, forms.EmailInput),
            *(forms.URLInput, widgets.UnfoldAdminTextInputWidget, widgets.UnfoldAdminIntegerFieldWidget),
        )
    },
    "select": lambda: forms.Select({**ATTRIBUTES}, choices=CHOICES),
    "groups": lambda: widgets.UnfoldAdminSelectWidget({**ATTRIBUTES}, choices=[("Letters", CHOICES)]),
    "theme's select": lambda: widgets.UnfoldAdminSelectWidget({**ATTRIBUTES}, choices=CHOICES),
    "with a prefix": lambda: widgets.UnfoldAdminTextInputWidget({**ATTRIBUTES, "prefix": "kg"}),
}


class _Templates(FormRenderer):
    """The templates of Django and the theme for all but attributes."""

    render = DjangoTemplates.render


def plain(text: str) -> str:
    """Without the spaces between tags."""
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", text).strip()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["5", 5, 0.25, None, '<a & "b">', ""])
def test_widgets(kind: str, value: object) -> None:
    ours, theirs = (KINDS[kind]().render("na&me", value, renderer=one()) for one in (FormRenderer, _Templates))
    assert plain(ours) == plain(theirs)


def test_attributes_are_those_of_django() -> None:
    assert isinstance(get_default_renderer(), FormRenderer)
    ours, django = (
        forms.TextInput(ATTRIBUTES).render("name", "5", renderer=one()) for one in (FormRenderer, DjangoTemplates)
    )
    assert ours == django
