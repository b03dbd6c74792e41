"""Packing units of an order."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from carts.details.addresses import Address
from kit.domain.actor import Actor
from kit.errors import DomainError
from kit.values.counted import counted
from kit.values.places import country_name
from orders.admin.forms.action_form import ActionForm, FieldRow
from orders.admin.forms.address_fields import ADDRESS_FIELDS, add_address_fields, require_address
from orders.admin.forms.units import addressed, given_units, listed, units_field
from orders.fulfillments import creation
from orders.fulfillments.errors import MixedShipping, ProfileMismatch
from orders.fulfillments.locked_lines import Line
from orders.fulfillments.requested_items import ItemQuantity
from orders.fulfillments.reserved_stock import ReservedStock
from orders.models import OrderAddress

UNITS, TO = "units_", "to_"
MIXED = "Items that ship and items that do not must be packed separately. Set one kind to 0."
SEPARATE = "These items ship in different ways and must be packed separately: {}"


class PackForm(ActionForm):
    """Units of each line, from one location, to an address; by default all remaining units that ship together."""

    title = "Pack"
    button = "Pack"

    def prepare(self) -> None:
        super().prepare()
        lines = self.state.lines
        self.left = {key: line for key, line in lines.items() if line.remaining or f"{UNITS}{key}" in self.data}
        self.stock = ReservedStock(self.left)
        self.names |= self.stock.names
        proposed = _shipping_together(list(self.left.values()))
        place = self.data.get("location") or self.stock.fullest(proposed)
        for key, line in self.left.items():
            units = self.stock.units_at(line, place) if line in proposed else 0
            self.fields[f"{UNITS}{key}"] = units_field(
                label="Pack",
                of=line.name,
                initial=units,
                most=line.remaining,
                refusal=f"Only {line.remaining} are left to pack.",
            )
        if self.stock.names:
            self.fields["location"] = forms.ChoiceField(
                label="From",
                choices=list(self.stock.names.items()),
                initial=place,
                widget=UnfoldAdminSelectWidget,
                help_text="Where the items are reserved. Items at different locations must be packed separately.",
            )
        if self._ships_to is not None:
            add_address_fields(self, TO)

    @property
    def _ships_to(self) -> OrderAddress | None:
        """The order's shipping address, if the parcel can go there."""
        found: OrderAddress | None = self.order.shipping_address
        return found if any(line.requires_shipping for line in self.left.values()) else None

    def rows(self) -> Sequence[FieldRow]:
        lines = [
            FieldRow(
                line.name,
                f"{line.remaining} of {line.quantity} to pack, {self.stock.where(line)}"
                + ("" if line.requires_shipping else ", does not ship"),
                [self[f"{UNITS}{key}"]],
            )
            for key, line in self.left.items()
        ]
        if self._ships_to is None:
            return lines
        country = country_name(self._ships_to.country_code) or "the same country"
        note = f"In {country}, for this parcel only. Replaces the whole address above."
        fields = [self[f"{TO}{name}"] for name in ADDRESS_FIELDS]
        is_open = any(field.value() for field in fields)
        row = FieldRow("Another delivery address", note, fields, is_wide=True, is_foldable=True, is_open=is_open)
        return [*lines, row]

    def effects(self) -> Sequence[str]:
        units, place = self._units, self._location
        pieces = self.stock.pieces(units, place)
        taken = f"Takes {listed(pieces)} from the stock of {self.names[place]}." if pieces and place else ""
        address = addressed(self.order.shipping_address)
        ships = any(self.left[key].requires_shipping for key in units)
        destination = f"The parcel goes to {address}, unless you enter another address." if address and ships else ""
        return [text for text in (taken, destination, "It can be unpacked until it is shipped.") if text]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        units, place = self._units, self._location
        if not units and not self.errors:
            self.add_error(None, "Enter how many units to pack.")
        for key, number in units.items() if "location" not in self.errors else ():
            here = self.stock.units_at(self.left[key], place)
            if number > here:
                self.add_error(f"{UNITS}{key}", f"Only {here} are reserved in {self.names.get(place or '', '')}.")
        if len({bool(self.left[key].requires_shipping) for key in units}) > 1:
            self.add_error(None, MIXED)
        if self._ships_to is not None and any(cleaned.get(f"{TO}{name}") for name in ADDRESS_FIELDS):
            require_address(self, TO)
        return cleaned

    def act(self, actor: Actor) -> str:
        units, place = self._units, self._location
        items = [ItemQuantity(key, number) for key, number in units.items()]
        creation.create(
            actor=actor, order_id=self.order.pk, items=items, location_id=place, delivery_address=self._entered_address
        )
        where = f" from {self.names[place]}" if place else ""
        return f"Packed {counted(sum(units.values()), 'unit')}{where}."

    def refuse(self, refusal: DomainError) -> None:
        if isinstance(refusal, MixedShipping):
            self.add_error(None, MIXED)
        elif isinstance(refusal, ProfileMismatch):
            self.add_error(None, SEPARATE.format(listed(self.left[key].name for key in self._units)))
        else:
            super().refuse(refusal)

    @property
    def _units(self) -> Mapping[str, int]:
        return given_units(self, UNITS, self.left)

    @property
    def _entered_address(self) -> Address | None:
        """None for the order's own."""
        entered = {name: self.cleaned_data.get(f"{TO}{name}") for name in ADDRESS_FIELDS}
        if self._ships_to is None or not any(entered.values()):
            return None
        texts = {name: value or None for name, value in entered.items()}
        return cast("Address", {**texts, "country_code": self._ships_to.country_code})

    @property
    def _location(self) -> str | None:
        """None if nothing is taken from stock."""
        if "location" not in self.fields:
            return None
        if not self.is_bound:
            return str(self.fields["location"].initial)
        chosen: str | None = self.cleaned_data.get("location") if hasattr(self, "cleaned_data") else None
        return chosen


def _shipping_together(lines: list[Line]) -> list[Line]:
    """The lines that need shipping; if there are none, all lines."""
    return [line for line in lines if line.requires_shipping] or lines
