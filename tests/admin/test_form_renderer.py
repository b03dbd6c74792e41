"""Our template of a field's attributes writes what Django's writes."""

import pytest
from django.forms import CheckboxInput, NumberInput, Select, TextInput, Widget
from django.forms.renderers import DjangoTemplates, get_default_renderer

from commerce.kit.admin.form_renderer import FormRenderer

ATTRIBUTES = {"class": "wide", "required": True, "disabled": False, "data-note": '<a & "b">', "step": 0.5, "max": None}


@pytest.mark.parametrize("widget", [TextInput, NumberInput, CheckboxInput])
def test_attributes(widget: type[Widget]) -> None:
    assert isinstance(get_default_renderer(), FormRenderer)
    ours, django = (widget(ATTRIBUTES).render("name", "5", renderer=one()) for one in (FormRenderer, DjangoTemplates))
    assert ours == django


def test_options() -> None:
    choices = Select(ATTRIBUTES, choices=[("a", "A & B"), ("b", "B")])
    ours, django = (choices.render("name", "b", renderer=one()) for one in (FormRenderer, DjangoTemplates))
    assert ours == django
