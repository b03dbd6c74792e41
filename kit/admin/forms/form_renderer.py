"""Renders forms as Django does, but inputs and the attributes of fields without templates.

A table below a form has hundreds of inputs, and their templates took most of the time of its rendering.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import django.forms
from django.conf import settings
from django.forms.renderers import DjangoTemplates
from django.template.backends.django import DjangoTemplates as Engine
from django.utils.functional import cached_property
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from kit.admin.forms.widget_attributes import attributes

_INPUTS = {f"django/forms/widgets/{kind}.html" for kind in ("checkbox", "email", "hidden", "number", "text", "url")}
_THEMES_INPUT, _THEMES_SELECT = "unfold/widgets/text.html", "unfold/widgets/select.html"
_OPTION = "django/forms/widgets/select_option.html"
_ARROW = (
    "material-symbols-outlined absolute group-[.primary]:text-white pointer-events-none mr-[12px] right-0 "
    "text-base-400 top-0 top-1/2 hover:text-base-700 dark:text-base-500 dark:hover:text-base-200 -translate-y-1/2"
)
_DECORATIONS = ("prefix", "prefix_icon", "suffix", "suffix_icon")


class FormRenderer(DjangoTemplates):
    """Has an engine of its own: the theme renders a field at import time, before the site's tags can be loaded."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        if template_name in _INPUTS:
            return _input(context["widget"])
        widget = context.get("widget", {})
        if template_name == _THEMES_INPUT and not any(widget.get(name) for name in _DECORATIONS):
            return mark_safe(f'<div class="max-w-2xl relative w-full">{_input(widget)}</div>')  # noqa: S308 - escaped
        if template_name == _THEMES_SELECT and _is_plain(widget["optgroups"]):
            return _select(widget)
        return super().render(template_name, context, request)

    @cached_property
    def engine(self) -> Any:
        return Engine(
            {
                "APP_DIRS": True,
                "DIRS": [settings.KIT / "admin" / "form_templates", Path(django.forms.__file__).parent / "templates"],
                "NAME": "forms",
                "OPTIONS": {"libraries": {"widget_attributes": "kit.admin.forms.widget_attributes"}},
            }
        )


def _input(widget: Mapping[str, Any]) -> SafeString:
    name, value = conditional_escape(widget["name"]), widget["value"]
    shown = "" if value is None else f' value="{conditional_escape(value)}"'
    return mark_safe(  # noqa: S308 - each part is escaped
        f'<input type="{widget["type"]}" name="{name}"{shown}{attributes(widget["attrs"])}>'
    )


def _is_plain(groups: Iterable[tuple[object, Iterable[Mapping[str, Any]], object]]) -> bool:
    """Whether no choice has a template of its own."""
    return all(one["template_name"] == _OPTION for _, options, _ in groups for one in options)


def _select(widget: Mapping[str, Any]) -> SafeString:
    groups = "".join(_group(name, options) for name, options, _ in widget["optgroups"])
    name = conditional_escape(widget["name"])
    return mark_safe(  # noqa: S308 - each part is escaped
        f'<div class="grow relative max-w-2xl"><select name="{name}"{attributes(widget["attrs"])}>{groups}</select>'
        f'<span class="{_ARROW}">expand_more</span></div>'
    )


def _group(name: Any, choices: Iterable[Mapping[str, Any]]) -> str:
    options = "".join(
        f'<option value="{conditional_escape(one["value"])}"{attributes(one["attrs"])}>'
        f"{conditional_escape(one['label'])}</option>"
        for one in choices
    )
    return f'<optgroup label="{conditional_escape(name)}">{options}</optgroup>' if name else options
