"""The fields of a draft's form, and their rows: in the order in which a call goes."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import cached_property
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from carts.models import LineItem, ShippingMethod
from catalog.prices.price_context import find
from fulfillment.options.available_options import AvailableOption
from kit.admin.actions.tickets import ticket_field
from kit.domain.actor import Actor
from kit.values import text
from kit.values.money import rounded
from kit.values.text import is_storable
from kit.values.timestamps import isoformat, now
from orders.admin.drafts import parts
from orders.admin.drafts.parts import BILLING, CHANNEL, CODES, REGION, SHIPPING
from orders.admin.forms.action_form import FieldRow
from orders.admin.forms.changes.item_places import ItemPlaces
from orders.admin.forms.changes.line_fields import PRICE, UNITS, add_line_fields, add_terms
from orders.admin.forms.shipping_fields import AMOUNT, described, shipping_price
from orders.admin.order_page.formatting import line_name
from orders.drafts.locked_draft import SETTING_PRICES
from orders.drafts.methods import options_in, options_of_draft
from orders.models import DraftOrder, OrderChange
from shop.models import Region, Store

OPTION = "shipping_option_id"
TITLE, TITLE_UNITS, TITLE_PRICE = "title_", "title_quantity_", "title_price_"
"""The beginnings of the names of the fields of an item that is not in the catalogue; its place follows."""


class DraftFields(ItemPlaces):
    """draft: None for a new one. lines: those that it has, by id. method: its first shipping method.

    shown_state, shown_at: the state of the draft that the page showed, and when.
    """

    ticket = ticket_field()
    shown_state = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    shown_at = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    not_sold = "The sales channel does not sell this item."

    def __init__(self, data: QueryDict | None, *, draft: DraftOrder | None, actor: Actor) -> None:
        self.draft, self.actor, self.sets_prices = draft, actor, actor.may(SETTING_PRICES)
        own = LineItem.objects.not_deleted().filter(cart=draft).order_by("pk") if draft else ()
        self.lines = {line.pk: line for line in own}
        methods = ShippingMethod.objects.not_deleted().filter(cart=draft).order_by("pk") if draft else ()
        self.method, *self.other_methods = [*methods] or [None]
        super().__init__(data and self._whole(data))
        self.fields["shown_state"].initial, self.fields["shown_at"].initial = stamp_of(draft), isoformat(now())
        parts.add_contact_fields(self, draft, sees_customers=actor.may("customers.view_customer"))
        parts.add_places(self, draft, self.region)
        for line in self.lines.values():
            add_line_fields(self, line, has_price=self.sets_prices)
        self.offer_items()
        self._offer_titles()
        self._offer_shipping()
        parts.add_codes_field(self, draft)

    @cached_property
    def region(self) -> Region | None:
        """That of the draft, or the chosen one, by default the store's or the only one."""
        if self.draft is not None:
            return self.draft.region
        regions, sent = list(Region.objects.not_deleted().order_by("name")), self.data.get(REGION)
        default = sent or Store.objects.values_list("default_region", flat=True).get()
        found = [region for region in regions if region.pk == default]
        return next(iter(found or (regions if len(regions) == 1 else ())), None)

    @property
    def currency_code(self) -> str:
        return str(self.region.currency_id) if self.region else ""

    def rows(self) -> Sequence[FieldRow]:
        """Groups of fields. Those that are seldom needed are folded."""
        lines = [
            FieldRow(line_name(line), "A quantity of 0 removes it.", self.bound(UNITS, PRICE, of=key))
            for key, line in self.lines.items()
        ]
        more = f"And {', '.join(method.name for method in self.other_methods)}." if self.other_methods else ""
        return [
            self._row("Customer", ["email", "customer"]),
            self._row("Shipping address", parts.names_of(SHIPPING)),
            self._folded("Billing address, if it is another", parts.names_of(BILLING)),
            *lines,
            *self.rows_of_items("Add an item"),
            *(
                self._folded("Add an item that is not in the catalogue", [f"{each}{place}" for each in _OF_TITLES])
                for place in self.title_places
            ),
            self._row("Shipping and discounts", [OPTION, AMOUNT, CODES], more),
            self._folded(self._sold_in(), [REGION, CHANNEL], is_open=self.region is None),
        ]

    def offer_options(self, options: Sequence[AvailableOption]) -> None:
        """Let these shipping options be chosen, besides the one that is."""
        code, chosen = self.currency_code, str(self[OPTION].value() or "")
        choices = {option.id: described(option, code) for option in sorted(options, key=lambda each: each.row.name)}
        if chosen and chosen not in choices:
            is_own = self.method is not None and self.method.shipping_option_id == chosen
            choices[chosen] = f"{self.method.name}, not for this draft" if is_own else "Not for this draft"
        widget: Any = self.fields[OPTION].widget
        widget.choices = [("", "None"), *choices.items()]

    def stored_options(self) -> Sequence[AvailableOption]:
        """What the draft as it is stored can choose, or a new one in the region."""
        if self.draft is not None:
            return options_of_draft(self.draft.pk)
        channel = str(self[CHANNEL].value() or "")
        return options_in(find(region_id=self.region.pk), channel) if self.region and is_storable(channel) else ()

    def _offer_titles(self) -> None:
        self.title_places = self.places_for(TITLE, least=1) if self.sets_prices else range(0)
        for place in self.title_places:
            self.fields[f"{TITLE}{place}"] = forms.CharField(
                label="Title", required=False, max_length=text.LONGEST, widget=UnfoldAdminTextInputWidget
            )
            of = f"item {place} that is not in the catalogue"
            add_terms(self, of, units=f"{TITLE_UNITS}{place}", price=f"{TITLE_PRICE}{place}")

    def _offer_shipping(self) -> None:
        own = self.method
        self.fields[OPTION] = forms.CharField(
            label="Shipping",
            required=False,
            max_length=64,
            initial=own.shipping_option_id if own else "",
            widget=UnfoldAdminSelectWidget,
        )
        if self.sets_prices:
            self.fields[AMOUNT] = shipping_price(self.currency_code, label="Price of shipping")
            if own is not None and own.is_custom_amount:
                self.fields[AMOUNT].initial = rounded(own.amount, self.currency_code)
        if self.is_bound:
            return
        options = self.stored_options()
        if self.draft is None and len(options) == 1 and options[0].is_priced:
            self.fields[OPTION].initial = options[0].id
        self.offer_options(options)

    def _whole(self, data: QueryDict) -> QueryDict:
        """With the lines that were added since the page was shown, as they are."""
        whole = data.copy()
        for key, line in self.lines.items():
            whole.setdefault(f"{UNITS}{key}", str(line.quantity))
            whole.setdefault(f"{PRICE}{key}", str(rounded(line.unit_price, self.currency_code)))
        return whole

    def _sold_in(self) -> str:
        channel = dict(self.fields[CHANNEL].choices).get(self[CHANNEL].value(), "")  # type: ignore[attr-defined]
        return f"Sold in {self.region or 'which region?'}, {channel}"

    def _row(self, title: str, names: Sequence[str], note: str = "") -> FieldRow:
        return FieldRow(title, note, [self[name] for name in names if name in self.fields], is_wide=True)

    def _folded(self, title: str, names: Sequence[str], *, is_open: bool = False) -> FieldRow:
        """Shown if anything is in it, or wrong with it."""
        row = self._row(title, names)
        needed = any(field.errors or (not field.name.startswith(_FILLED) and field.value()) for field in row.fields)
        return row._replace(is_foldable=True, is_open=is_open or needed)


def stamp_of(draft: DraftOrder | None) -> str:
    """A text that changes with the draft; "" for a new one."""
    if draft is None:
        return ""
    change = OrderChange.objects.filter(cart=draft.pk).order_by("-pk").values_list("pk", flat=True).first()
    return f"{isoformat(draft.updated_at)} {change}"


_OF_TITLES = (TITLE, TITLE_UNITS, TITLE_PRICE)
_FILLED = (REGION, CHANNEL, TITLE_UNITS)
