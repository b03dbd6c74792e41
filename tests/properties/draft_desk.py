"""What the staff of `books_shop.Shop` do with drafts."""

from collections.abc import Sequence
from decimal import Decimal

from carts.details.line_replacement import WantedLine
from carts.models import Cart
from catalog.models import ProductVariant
from customers.models import Customer
from fulfillment.models import ShippingOption
from kit.domain.actor import SYSTEM
from orders.drafts import creation, editing
from orders.drafts.conversion import convert
from orders.drafts.items import DraftItem, DraftLineChange
from orders.drafts.methods import DraftMethod
from shop.models import Region
from tests.factories.checkout import ADDRESS, EMAIL
from tests.properties.test_payments import one_of


class DraftDesk:
    """Each step is about one of the rows that there are; `number` says which, whatever their number."""

    region: Region
    customer: Customer
    shipping: ShippingOption
    variants: Sequence[ProductVariant]

    def draft(self, number: int, units: int, price: int | None, is_customer: bool, is_reduced: bool) -> None:
        """A variant, maybe at a price of staff, and a line of its own."""
        own = WantedLine(1, title="Engraving", unit_price=Decimal("2.50"))
        line = WantedLine(units, self._variant(number), unit_price=None if price is None else Decimal(price))
        creation.create(
            actor=SYSTEM,
            region_id=self.region.pk,
            customer_id=self.customer.pk if is_customer else None,
            email=EMAIL,
            shipping_address=dict(ADDRESS),
            items=[line, own] if number % 2 else [line],
            shipping_methods=[DraftMethod(self.shipping.pk, custom_amount=None if price is None else Decimal(0))],
            promo_codes=["TENTH"] if is_reduced else [],
        )

    def edit_draft(self, number: int, quantity: int, price: int | None, is_reduced: bool) -> None:
        for made in self._drafts(number):
            line = made.items.order_by("pk")[0]
            change = DraftLineChange(line.pk, quantity, {} if price is None else {"unit_price": Decimal(price)})
            codes = {"promo_codes": ["TENTH"]} if is_reduced else {"removed_promo_codes": ["TENTH"]}
            added = [DraftItem(1, variant_id=self._variant(number))]
            editing.edit(actor=SYSTEM, draft_id=made.pk, changed_items=[change], added_items=added, **codes)

    def convert(self, number: int) -> None:
        for made in self._drafts(number):
            convert(actor=SYSTEM, draft_id=made.pk)

    def delete_draft(self, number: int) -> None:
        for made in self._drafts(number):
            creation.delete(actor=SYSTEM, draft_id=made.pk)

    def _variant(self, number: int) -> str:
        return str(self.variants[number % len(self.variants)].pk)

    def _drafts(self, number: int) -> list[Cart]:
        return one_of(Cart.objects.filter(is_draft=True), number)
