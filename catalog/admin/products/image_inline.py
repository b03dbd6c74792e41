"""The pictures on a product's page.

The page's script (pictures.js) uploads files, and shows the pictures as tiles that can be reordered, described and
removed. Without it the plain table does the same, and a page of its own uploads (picture_uploads.py).
"""

from collections.abc import Sequence

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextInputWidget

from catalog.admin.thumbnails import picture
from catalog.models import ProductImage
from catalog.products.image_editing import VERBS
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_inline import PartInline
from pictures.errors import UnusablePicture
from pictures.finding import usable_address

ALT = "alt"
LONGEST_ALT = 500


def checked_address(address: str | None) -> str | None:
    """The address as rows store it. Raises ValidationError for a picture of this shop that cannot be used."""
    try:
        return usable_address(address) if address else address
    except UnusablePicture as refusal:
        raise ValidationError(refusal.message) from refusal


class ImageForm(SoftDeletionForm):
    """A new image without a rank comes last. The alternative text is `alt` of the metadata."""

    url = forms.CharField(label="URL", widget=UnfoldAdminTextInputWidget)
    alt = forms.CharField(
        label="Alternative text",
        required=False,
        max_length=LONGEST_ALT,
        widget=UnfoldAdminTextInputWidget,
        help_text="What the picture shows, for people who cannot see it.",
    )

    optional = ("rank",)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.initial[ALT] = (self.instance.metadata or {}).get(ALT, "")
        if self.is_new:
            self.initial["rank"] = None

    def clean_url(self) -> str | None:
        url: str | None = self.cleaned_data["url"]
        return checked_address(url) if "url" in self.changed_data else url

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """With the alternative text in the metadata."""
        given = super().attributes(names)
        if ALT not in names:
            return given
        others = {name: value for name, value in (self.instance.metadata or {}).items() if name != ALT}
        alt = self.cleaned_data[ALT]
        return {**given, "metadata": ({**others, ALT: alt} if alt else others) or None}


class ImageInline(PartInline):
    """The product's images, by rank. stands_first: whether they come before the fields (change_form.html)."""

    model = ProductImage
    verbs = VERBS
    form = ImageForm
    ordering = ("rank", "pk")
    fields = ("preview", "url", "alt", "rank")
    readonly_fields = ("preview",)
    verbose_name = "picture"
    verbose_name_plural = "Pictures"
    template_before = "catalog/pictures.html"
    stands_first = True

    class Media:
        js = ("catalog/elements.js", "catalog/pictures.js")
        css = {"all": ("catalog/pictures.css",)}

    @admin.display(description="Picture")
    def preview(self, row: ProductImage) -> str:
        return picture(row.url, width=480)  # pictures.js enlarges it
