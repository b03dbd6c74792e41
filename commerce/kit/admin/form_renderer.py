"""Renders forms as Django does, with our own template of a field's attributes."""

from pathlib import Path
from typing import Any

import django.forms
from django.forms.renderers import DjangoTemplates
from django.template.backends.django import DjangoTemplates as Engine
from django.utils.functional import cached_property

_OURS = Path(__file__).parent / "form_templates"


class FormRenderer(DjangoTemplates):
    """Has an engine of its own: the theme renders a field at import time, before the site's tags can be loaded."""

    @cached_property
    def engine(self) -> Any:
        return Engine(
            {
                "APP_DIRS": True,
                "DIRS": [_OURS, Path(django.forms.__file__).parent / "templates"],
                "NAME": "forms",
                "OPTIONS": {"libraries": {"widget_attributes": "commerce.kit.admin.widget_attributes"}},
            }
        )
