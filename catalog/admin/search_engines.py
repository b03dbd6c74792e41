"""The section of forms that says how search engines and old links find the page of a row."""

from typing import Any

from django import forms

from catalog.former_handles import former_handles
from catalog.models.former_handles import FORMER
from kit.admin.forms.text_fields import Lines
from kit.domain.soft_deletion import is_stored
from kit.values.text import LONGEST

_TEXTS = ("seo_title", "seo_description")


def _section(*fields: str) -> tuple[str, dict[str, Any]]:
    return "Search engines", {"fields": fields, "classes": ("collapse",)}


SEO_SECTION, NEW_SEO_SECTION = _section(*_TEXTS, FORMER), _section(*_TEXTS)


class FormerHandlesForm(forms.ModelForm[Any]):
    """The former handles of a stored row, beside its texts for search engines."""

    former_handles = Lines(
        required=False,
        max_length=LONGEST,
        help_text="Links with these still lead here, unless another page has the handle. One per line.",
    )

    class Meta:
        labels = {"seo_title": "Title for search engines", "seo_description": "Description for search engines"}
        help_texts = {
            "seo_title": "What search results show as the title. The storefront chooses one if this is empty.",
            "seo_description": "One or two sentences for search results. About 160 characters are shown.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in _TEXTS:
            if name in self.fields:
                self.fields[name].empty_value = None  # type: ignore[attr-defined]  # of text fields
        if is_stored(self.instance):
            handles = former_handles(type(self.instance), [self.instance.pk])
            self.initial[FORMER] = handles.get(self.instance.pk, [])
        else:
            del self.fields[FORMER]


def shown_former_handles(row: Any) -> str:
    """For people who may not change them."""
    return ", ".join(former_handles(type(row), [row.pk]).get(row.pk, ())) or "—"
