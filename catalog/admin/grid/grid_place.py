"""Where the grid of several products begins: it has a page of the list's variants, and its buttons lead to the others.

A button saves the grid first, so that no edit is lost.
"""

from copy import copy
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from catalog.products.product_editing.edits import MOST_VARIANTS
from kit.admin.lists.page_turns import TURN
from kit.values.text import whole_number

_SKIP, _FIRST = "skip", "first"


@dataclass(frozen=True, slots=True)
class GridPlace:
    """skip: products to pass over, from the page of the list on that is shown.

    first: variants to pass over of the first product, which has more than the grid.
    """

    request: HttpRequest
    skip: int
    first: int

    @classmethod
    def of(cls, request: HttpRequest) -> "GridPlace":
        """The place that the URL names."""
        skip, first = (whole_number(request.GET.get(name, "")) or 0 for name in (_SKIP, _FIRST))
        return cls(request, skip, first)

    @property
    def of_list(self) -> HttpRequest:
        """The request as the list gets it, which refuses parameters that it does not know."""
        listed = copy(self.request)
        listed.GET = QueryDict(self.query())
        return listed

    def query(self, *, skip: int = 0, first: int = 0) -> str:
        """The list's filters, and a place in it."""
        given = self.request.GET.copy()
        for name in (_SKIP, _FIRST):
            given.pop(name, None)
        given.update({name: str(number) for name, number in ((_SKIP, skip), (_FIRST, first)) if number})
        return given.urlencode()

    @property
    def is_turned(self) -> bool:
        """Whether a button was pressed."""
        return TURN in self.request.POST

    def turned(self, *, gone: int) -> str:
        """The address of the place that the pressed button names.

        gone: how many of the shown products have left the list by what was saved, and so need not be passed over.
        """
        asked = QueryDict(self.request.POST[TURN])
        skip, first = (whole_number(asked.get(name, "")) or 0 for name in (_SKIP, _FIRST))
        skip -= gone if skip > self.skip else 0
        return f"{self.request.path}?{self.query(skip=skip, first=first)}"

    def turns(self, *, products: int, more_variants: bool, more_products: bool) -> list[tuple[str, str]]:
        """The values of the buttons and their labels: what stands before the shown variants, and what follows."""
        found = []
        if self.first:
            before = max(0, self.first - MOST_VARIANTS)
            found.append((f"{_SKIP}={self.skip}&{_FIRST}={before}", "Save and show the variants before"))
        elif self.skip:
            found.append((f"{_SKIP}=0", "Save and show the first products"))
        if more_variants:
            found.append(
                (f"{_SKIP}={self.skip}&{_FIRST}={self.first + MOST_VARIANTS}", "Save and show the next variants")
            )
        elif more_products:
            found.append((f"{_SKIP}={self.skip + products}", "Save and show the next products"))
        return found
