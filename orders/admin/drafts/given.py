"""What the form of a draft says, as the verbs take it."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from carts.details.faults import Faults
from carts.details.line_replacement import WantedLine
from carts.models import ShippingMethod
from orders.admin.drafts.fields import (
    OPTION,
    TITLE,
    TITLE_PRICE,
    TITLE_UNITS,
    DraftFields,
)
from orders.admin.drafts.parts import (
    BILLING,
    CHANNEL,
    CODES,
    REGION,
    SHIPPING,
    default_address,
    given_address,
    names_of,
    other_billing,
)
from orders.admin.forms.changes.line_fields import PRICE, UNITS
from orders.admin.forms.shipping_fields import AMOUNT
from orders.drafts.creation import create
from orders.drafts.details import DraftDetails
from orders.drafts.methods import DraftMethod
from orders.drafts.replacing import replace


class GivenDraft(DraftFields):
    """Its lines, codes, shipping and details, and the verbs that write them."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for place in self.title_places:
            title, price = cleaned.get(f"{TITLE}{place}"), cleaned.get(f"{TITLE_PRICE}{place}")
            if title and price is None and f"{TITLE_PRICE}{place}" not in self.errors:
                self.add_error(f"{TITLE_PRICE}{place}", "It needs a price.")
            if price is not None and not title and f"{TITLE}{place}" not in self.errors:
                self.add_error(f"{TITLE}{place}", "Enter what the price is for.")
        if cleaned.get(AMOUNT) is not None and not cleaned.get(OPTION):
            self.add_error(OPTION, "Choose the shipping that the price is for.")
        return cleaned

    def save(self, faults: Faults | None = None) -> str:
        """Write what the valid form says, and return the draft's id. faults: as the verbs take them."""
        given, parts = self.cleaned_data, self._parts_of_draft()
        if self.draft is not None:
            replace(actor=self.actor, draft_id=self.draft.pk, details=self._details(), faults=faults, **parts)
            return str(self.draft.pk)
        customer, shipping = given.get("customer"), self._shipping_address()
        return create(
            actor=self.actor,
            region_id=given[REGION].pk,
            sales_channel_id=given[CHANNEL].pk,
            customer_id=customer.pk if customer else None,
            email=given["email"] or None,
            shipping_address=shipping,
            billing_address=given_address(self, BILLING) or shipping,
            faults=faults,
            **parts,
        )

    def _parts_of_draft(self) -> dict[str, Any]:
        codes = [code.strip() for code in self.cleaned_data[CODES].split(",") if code.strip()]
        return {"items": [*self._items()], "promo_codes": codes, "shipping_methods": [*self._methods()]}

    def _items(self) -> Iterator[WantedLine]:
        given = self.cleaned_data
        for key in self.lines:
            units, price = f"{UNITS}{key}", f"{PRICE}{key}"
            new_price = given[price] if price in self.changed_data else None
            yield WantedLine(given[units], line_id=key, unit_price=new_price, field=units)
        for name, item in self.items_by_field().items():
            yield WantedLine(item.quantity, item.variant_id, unit_price=item.unit_price, field=name)
        for place in self.title_places:
            if title := given[f"{TITLE}{place}"]:
                quantity, price = given[f"{TITLE_UNITS}{place}"] or 1, given[f"{TITLE_PRICE}{place}"]
                yield WantedLine(quantity, title=title, unit_price=price, field=f"{TITLE}{place}")

    def _methods(self) -> Iterator[DraftMethod]:
        given, own = self.cleaned_data, self.method
        if given[OPTION]:
            amount = given[AMOUNT] if self.sets_prices else _kept(own, given[OPTION])
            yield DraftMethod(given[OPTION], amount, own.pk if own else None, field=OPTION)
        for method in self.other_methods:
            amount = _kept(method, method.shipping_option_id)
            yield DraftMethod(method.shipping_option_id, amount, method.pk, field=OPTION)

    def _details(self) -> DraftDetails:
        """What has changed of the draft's own."""
        assert self.draft is not None  # noqa: S101 - a new one is created
        given, details = self.cleaned_data, DraftDetails()
        if "email" in self.changed_data:
            details["email"] = given["email"] or None
        if "customer" in self.changed_data:
            details["customer_id"] = given["customer"].pk if given["customer"] else None
        if CHANNEL in self.changed_data:
            details["sales_channel_id"] = given[CHANNEL].pk
        shipping, billing = self._shipping_address(), given_address(self, BILLING)
        moves = shipping != given_address(self, SHIPPING) or {*names_of(SHIPPING)} & {*self.changed_data}
        if moves:
            details["shipping_address"] = shipping
        if {*names_of(BILLING)} & {*self.changed_data} or (moves and other_billing(self.draft) is None):
            details["billing_address"] = billing or shipping
        return details

    def _shipping_address(self) -> Any:
        """The entered one, or that of the customer's address book if the customer is new to the draft."""
        entered = given_address(self, SHIPPING)
        if entered is None and "customer" in self.changed_data:
            return default_address(self.cleaned_data["customer"])
        return entered


def _kept(method: ShippingMethod | None, option_id: str) -> Decimal | None:
    """The amount that staff have set for the method, as long as it has this option."""
    if method is None or not method.is_custom_amount or method.shipping_option_id != option_id:
        return None
    amount: Decimal = method.amount
    return amount
