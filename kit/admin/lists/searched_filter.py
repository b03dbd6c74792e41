"""The filter of lists by a row of another table, which is found as one types."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin.views.main import ChangeList
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from kit.admin.lists.row_link import may_open


class SearchedFilter(AutocompleteSelectFilter):  # type: ignore[misc]
    """Names the chosen row only to users who may open it: the address may have the id of any."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice in super().choices(changelist):
            field = choice["form"].fields[self.lookup_kwarg]
            if not may_open(self.request, self.field.related_model):
                field.queryset = field.queryset.none()
            yield choice
