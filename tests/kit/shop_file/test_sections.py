"""What a section of the shop file has from the verbs of its rows."""

from catalog.models import ProductTag
from catalog.products.labels import TAGS
from kit.shop_file.sections import RowsSection
from kit.shop_file.values import Text


class _Tags(RowsSection[ProductTag]):
    key = "tags"
    natural_key = "value"
    prefix = "label"
    verbs = TAGS
    fields = {"value": Text()}


class _NewTags(_Tags):
    key = "new_tags"


def test_a_section_gives_what_does_not_follow_from_its_verbs() -> None:
    assert (_Tags.model, _Tags.prefix, _Tags.fields) == (ProductTag, "label", {"value": Text()})


def test_a_section_that_is_derived_from_another_keeps_what_that_gives() -> None:
    assert (_NewTags.model, _NewTags.prefix, _NewTags.fields) == (ProductTag, "label", {"value": Text()})
