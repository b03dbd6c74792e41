"""Values of rules by name: the field of their ids, and the view that its script asks for names.

Without the script the field takes the ids, one per line.
"""

from collections.abc import Iterable, Mapping

from django.apps import apps
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.forms import Media
from django.http import HttpRequest, JsonResponse
from django.urls import reverse_lazy
from unfold.widgets import UnfoldAdminTextareaWidget

from kit.admin.base_admin import BaseAdmin
from kit.admin.forms.text_fields import Lines
from kit.values.text import is_storable
from shop.models import Country

VIEW = "rule_values"
MOST_FOUND = 20
MOST_NAMED = 200
_LONGEST_TERM = 100

CHOSEN_FROM: Mapping[str, str] = {
    "region_id": "shop.Region",
    "currency_code": "shop.Currency",
    "country_code": "shop.Country",
    "shipping_address.country_code": "shop.Country",
    "sales_channel_id": "shop.SalesChannel",
    "customer.id": "customers.Customer",
    "customer_id": "customers.Customer",
    "customer.groups.id": "customers.CustomerGroup",
}
"""The table whose ids a rule compares, by attribute. By label, since this app does not know customers."""


class RuleValuesWidget(UnfoldAdminTextareaWidget):  # type: ignore[misc]
    """A text area, which the script replaces with names where the rule's attribute has a table."""

    def __init__(self) -> None:
        super().__init__(attrs={"rows": 2, "data-rule-values": reverse_lazy(f"admin:{VIEW}")})

    @property
    def media(self) -> Media:
        return Media(js=["catalog/elements.js", "catalog/rule_values.js"], css={"all": ["catalog/rule_values.css"]})


class RuleValues(Lines):
    """The ids or texts of a rule, one per line."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(rows=2, **{"widget": RuleValuesWidget(), **kwargs})


def rule_values(request: HttpRequest, model_admin: object) -> JsonResponse:
    """`{"values": [{"id", "name"}]}`: those whose name contains `q`, or those with the ids `id`; at most MOST_FOUND.

    `{"values": null}`, and so typed ones, for an attribute without a table, or one that the user may not view.
    """
    label = CHOSEN_FROM.get(request.GET.get("attribute", ""))
    if label is None:
        return JsonResponse({"values": None})
    ids = [key for key in request.GET.getlist("id")[:MOST_NAMED] if is_storable(key)]
    term = request.GET.get("q", "").strip()[:_LONGEST_TERM]
    if label == "shop.Country":
        return _answer((row.pk, row.display_name) for row in _countries(ids, term))
    screen = admin.site.get_model_admin(apps.get_model(label))
    if not isinstance(screen, BaseAdmin) or not screen.has_view_permission(request):
        return JsonResponse({"values": None})
    rows = screen.get_queryset(request)
    if ids:
        rows = rows.filter(pk__in=ids)
    else:
        rows, _ = screen.get_search_results(request, rows.filter(deleted_at=None), term)
    found = list(rows.distinct()[: MOST_NAMED if ids else MOST_FOUND])
    return _answer(screen.labels(found).items())


RULE_VALUES_URL = ("rule-values/", VIEW, rule_values)
"""The view, for `custom_urls` of a screen with rules: one serves all."""


def _countries(ids: list[str], term: str) -> QuerySet[Country]:
    if ids:
        return Country.objects.filter(pk__in=ids)
    return Country.objects.filter(Q(display_name__icontains=term) | Q(pk__iexact=term)).order_by("display_name")[
        :MOST_FOUND
    ]


def _answer(found: Iterable[tuple[str, str]]) -> JsonResponse:
    return JsonResponse({"values": [{"id": key, "name": name} for key, name in found]})
