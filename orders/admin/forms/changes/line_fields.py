"""The fields of a line of an order that is edited, and of an item to add."""

from decimal import Decimal

from django.contrib import admin
from django.core.validators import MinValueValidator
from unfold.widgets import UnfoldAdminTextInputWidget

from carts.lines.lines import MAX_QUANTITY
from catalog.admin.variants.variant_choice import VariantChoice
from catalog.models import ProductVariant, VariantInventoryItem
from kit.admin.forms.amount_fields import AmountField, CountField
from kit.admin.forms.searched_rows import SearchedRow
from kit.values.money import rounded
from orders.admin.forms.action_form import ActionForm
from orders.admin.forms.units import units_field
from orders.admin.order_page.formatting import line_name
from orders.models import OrderLineItem

UNITS, PRICE = "quantity_", "price_"
"""The beginnings of the names of a line's fields; its id follows."""
VARIANT, NEW_UNITS, NEW_PRICE = "variant_", "new_quantity_", "new_price_"
"""The same of an item to add; its place follows."""


def add_line_fields(form: ActionForm, row: OrderLineItem, *, has_price: bool) -> None:
    """Add the quantity, at least what is packed, and the price, if it can change. has_price: whether staff may."""
    packed, name = row.fulfilled_quantity, line_name(row)
    units = _units_field(name, row.quantity)
    units.required = True
    too_few = f"At least {packed}: so many are packed. What was shipped comes back by a return."
    units.validators.append(MinValueValidator(packed, too_few))
    form.fields[f"{UNITS}{row.pk}"] = units
    if has_price and not packed:
        form.fields[f"{PRICE}{row.pk}"] = _price_field(form, name, rounded(row.unit_price, form.order.currency_id))


def add_item_fields(form: ActionForm, place: int, *, has_price: bool) -> None:
    """Add the variant, which is searched as one types, the quantity and the price of an item to add."""
    offered = ProductVariant.objects.not_deleted().filter(product__deleted_at=None, product__is_giftcard=False)
    form.fields[f"{VARIANT}{place}"] = VariantChoice(
        offered.select_related("product"),
        label="Item",
        required=False,
        widget=SearchedRow(VariantInventoryItem._meta.get_field("variant"), admin.site),
    )
    units = _units_field(f"item {place} to add", 1)
    units.validators.append(MinValueValidator(1, "At least 1."))
    units.widget.attrs["placeholder"] = 1
    form.fields[f"{NEW_UNITS}{place}"] = units
    if has_price:
        form.fields[f"{NEW_PRICE}{place}"] = _price_field(form, f"item {place} to add", None)


def _units_field(of: str, initial: int) -> CountField:
    refusal = f"At most {MAX_QUANTITY}."
    return units_field(label="Quantity", of=of, initial=initial, most=MAX_QUANTITY, refusal=refusal)


def _price_field(form: ActionForm, of: str, initial: Decimal | None) -> AmountField:
    return AmountField(
        currency_code=form.order.currency_id,
        label="Unit price",
        required=False,
        initial=initial,
        min_value=Decimal(0),
        max_digits=15,
        decimal_places=4,
        widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"Unit price: {of}"}),
    )
