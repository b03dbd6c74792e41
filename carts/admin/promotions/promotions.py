"""The screens of promotions."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html_join

from carts.admin.promotions.basket_page import TRY_BASKET
from carts.admin.promotions.bulk_actions import PromotionActions
from carts.admin.promotions.codes import CODE_BUTTONS
from carts.admin.promotions.offers import OfferKind
from carts.admin.promotions.promotion_form import PromotionForm
from carts.admin.promotions.rule_fields import RULE_FIELDS
from carts.models import Promotion
from carts.promotions.restated_offers import restated_offers
from carts.states import PromotionType, RuleKind
from kit.admin.actions.row_action import row_action
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.buttons import Button
from kit.admin.forms.record_section import record_section
from kit.admin.history.change_message import ChangeMessage
from kit.admin.lists.amounts import amount_cell
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.request_actor import may_all, request_actor
from kit.admin.sections import Section
from kit.values.money import major

_TWO_WAYS = (
    "A promotion takes something off in the cart, for those who meet its conditions. To strike prices through for "
    "everybody, add a price list instead."
)
_KEPT = "All that you enter here must hold. Rules that no field can say stay as they are; the offer above names them."
_CONDITIONS = (
    *("customer_group", "item_total", "item_quantity", "is_first_order", "country", "region", "sales_channel"),
    *("province", "customer", "original_item_total", "target_total", "target_quantity"),
)
_GOODS = ("product_collection", "product_category", "product_type", "product_tag", "product", "variant")
_LIMITS = ("usage_limit", "usage_limit_per_customer")


def _fields(kind: RuleKind, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{kind}_{name}" for name in names)


def _kind_button(kind: OfferKind, icon: str) -> Button:
    """The button that opens the form for a new promotion of that kind."""

    def add(screen: object, request: HttpRequest) -> HttpResponse:
        return redirect(reverse("admin:carts_promotion_add", query={"offer": kind.value}))

    return Button(row_action(name=f"add_{kind.value}", description=kind.label, icon=icon)(add), _may_add)


_may_add = may_all("carts.add_promotion")
_may_see_sales = may_all("orders.view_order")


@admin.register(Promotion)
class PromotionAdmin(PromotionActions):
    """Discounts by code, or automatic ones."""

    section = Section.CATALOGUE
    daily = "change"
    icon = "redeem"
    nothing_yet = "A promotion is a discount that customers get by its code, or automatically."
    form = PromotionForm
    deletion_note = "Open carts lose it with their next change. It can be restored."
    buttons = (TRY_BASKET, *CODE_BUTTONS)
    list_buttons = (
        _kind_button(OfferKind.ITEMS, "sell"),
        _kind_button(OfferKind.ORDER, "shopping_cart"),
        _kind_button(OfferKind.SHIPPING, "local_shipping"),
        _kind_button(OfferKind.BUYGET, "redeem"),
        *spreadsheet_buttons("promotion_codes", has_filters=False, said="codes"),
    )

    list_display = ("code", "restated", "is_automatic", "status", "starts_at", "ends_at", "used", "savings")
    list_filter = ("is_automatic", "status", "type", "target_type", DeletionFilter)
    search_fields = ("code", "=id")
    search_help_text = "Code or id"
    autocomplete_fields = ("campaign",)
    readonly_fields = ("restated", "used", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("restated", "code", "offer", "is_automatic", ("buy_rules_min_quantity", "apply_to_quantity")),
                    *(("value", "type"), "currency", "is_tax_inclusive"),
                ),
                "description": _TWO_WAYS,
            },
        ),
        (
            "What has to be bought",
            {"fields": _fields(RuleKind.BUY_RULES, _GOODS), "classes": ("offers", "of-buyget")},
        ),
        (
            "What is discounted",
            {
                "fields": _fields(RuleKind.TARGET_RULES, _GOODS),
                "classes": ("offers", "of-items", "of-buyget"),
                "description": "Empty means all products; with Buy X get Y, those that have to be bought.",
            },
        ),
        (
            "Which shipping is discounted",
            {
                "fields": _fields(RuleKind.TARGET_RULES, ("shipping_option", "shipping_option_type")),
                "classes": ("offers", "of-shipping"),
                "description": "Empty means all shipping.",
            },
        ),
        (
            "How it is taken off",
            {"fields": ("allocation", "max_quantity"), "classes": ("offers", "of-items", "of-shipping", "of-buyget")},
        ),
        (
            "Conditions",
            {"fields": _fields(RuleKind.RULES, _CONDITIONS[:4]), "description": _KEPT},
        ),
        ("More conditions", {"fields": _fields(RuleKind.RULES, _CONDITIONS[4:]), "classes": ("collapse",)}),
        ("When and how often", {"fields": ("starts_at", "ends_at", _LIMITS, "campaign", "status")}),
        (
            "Together with",
            {
                "fields": ("combines_with_product", "combines_with_order", "combines_with_shipping", "priority"),
                "classes": ("collapse",),
                "description": "Two promotions apply together if each allows the other's kind. One that allows none "
                "is exclusive: it applies if the shopper then pays less than with all others together.",
            },
        ),
        record_section("metadata", "used", "id", "created_at", "updated_at", "deleted_at"),
    )

    class Media:
        css = {"all": ("carts/promotion.css",)}

    def get_fieldsets(self, request: HttpRequest, obj: Promotion | None = None) -> Any:
        """For users who may only view it, the offer says what the fields of the form do."""
        shown = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return shown
        named = {*RULE_FIELDS, "offer"}
        return [
            (title, {**part, "fields": left})
            for title, part in shown
            if (left := [name for name in part["fields"] if name not in named])
        ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, object]:
        """Shipping and what is given with something bought are free, unless one says otherwise."""
        given = {**super().get_changeform_initial_data(request)}
        offer = given.get("offer")
        kind = OfferKind(offer) if offer in OfferKind.values else OfferKind.ITEMS
        free = {"value": 100} if kind in (OfferKind.SHIPPING, OfferKind.BUYGET) else {}
        return {"type": PromotionType.PERCENTAGE, **free, **given, "offer": kind}

    def get_list_display(self, request: HttpRequest) -> Sequence[str]:
        """Without what orders were worth, for users who may not see them."""
        shown: Sequence[str] = super().get_list_display(request)
        return shown if _may_see_sales(request) else [name for name in shown if name != "savings"]

    # --- In words ----------------------------------------------------------------------------------------------------

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        super().add_links(request, rows)
        sentences = restated_offers(rows, request_actor(request))
        for row in rows:
            row.sentence = sentences[row.pk]

    @admin.display(description="Offer")
    def restated(self, row: Any) -> str:
        """The offer as a sentence."""
        return str(row.sentence)

    @admin.display(description="Savings")
    def savings(self, row: Promotion) -> str:
        """What it took off orders that are not canceled."""
        saved = sorted((row.saved or {}).items())
        return format_html_join(" ", "{}", ((amount_cell(major(units), code),) for code, units in saved if units))

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: object, add: bool = False
    ) -> Sequence[ChangeMessage]:
        """The history, and the next page, say what the promotion now offers."""
        message = super().construct_change_message(request, form, formsets, add)
        if not message:
            return message
        (sentence,) = restated_offers([Promotion.objects.get(pk=form.instance.pk)], request_actor(request)).values()
        messages.info(request, sentence)
        return [
            {verb: {**said, "name": "offer", "object": sentence} for verb, said in each.items()} for each in message
        ]
