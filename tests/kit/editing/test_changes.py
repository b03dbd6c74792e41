import pytest

from catalog.models import ProductTag
from kit.editing.changes import Changes

pytestmark = pytest.mark.django_db


def test_a_row_that_is_gone_by_the_time_of_writing_is_not_made_again():
    gone, kept = (ProductTag.objects.create(value=word) for word in ("gone", "kept"))
    changes = Changes(ProductTag)
    for row in (gone, kept):
        assert changes.change(row, {"value": f"{row.value}!"})
    ProductTag.objects.filter(pk=gone.pk).delete()
    changes.write()
    assert list(ProductTag.objects.values_list("value", flat=True)) == ["kept!"]


def test_removed_rows_free_their_unique_values_for_new_ones():
    changes = Changes(ProductTag)
    changes.remove(ProductTag.objects.create(value="tea"))
    made = changes.make(value="tea")
    changes.write()
    assert list(ProductTag.objects.values_list("pk", flat=True)) == [made.pk]


def test_a_misspelt_attribute_is_no_silent_loss():
    with pytest.raises(TypeError, match="ProductTag has no title"):
        Changes(ProductTag).make(value="tea", title="Tea")
