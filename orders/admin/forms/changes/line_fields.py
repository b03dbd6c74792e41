"""The fields of a line of an order or draft that is edited, and of an item to add."""

from decimal import Decimal

from django.contrib import admin
from django.core.validators import MinValueValidator
from unfold.widgets import UnfoldAdminTextInputWidget

from carts.lines.lines import MAX_QUANTITY
from carts.models.line_columns import LineColumns
from catalog.admin.variants.variant_choice import VariantChoice
from catalog.models import ProductVariant, VariantInventoryItem
from kit.admin.forms.amount_fields import AmountField, CountField
from kit.admin.forms.searched_rows import SearchedRow
from kit.values.money import rounded
from orders.admin.forms.priced_form import PricedForm
from orders.admin.forms.units import units_field
from orders.admin.order_page.formatting import line_name

UNITS, PRICE = "quantity_", "price_"
"""The beginnings of the names of a line's fields; its id follows."""
VARIANT, NEW_UNITS, NEW_PRICE = "variant_", "new_quantity_", "new_price_"
"""The same of an item to add; its place follows."""


def add_line_fields(form: PricedForm, row: LineColumns, *, has_price: bool) -> None:
    """Add the quantity, at least what is packed, and the price, if it can change. has_price: whether staff may."""
    packed, name = row.fulfilled_quantity, line_name(row)
    units = _units_field(name, row.quantity)
    units.required = True
    too_few = f"At least {packed}: so many are packed. What was shipped comes back by a return."
    units.validators.append(MinValueValidator(packed, too_few))
    form.fields[f"{UNITS}{row.pk}"] = units
    if has_price and not packed:
        form.fields[f"{PRICE}{row.pk}"] = _price_field(form, name, rounded(row.unit_price, form.currency_code))


def add_item_fields(form: PricedForm, place: int, *, has_price: bool) -> None:
    """Add the variant, which is searched as one types, the quantity and the price of an item to add."""
    offered = ProductVariant.objects.not_deleted().filter(product__deleted_at=None, product__is_giftcard=False)
    form.fields[f"{VARIANT}{place}"] = VariantChoice(
        offered.select_related("product"),
        label="Item",
        required=False,
        widget=SearchedRow(VariantInventoryItem._meta.get_field("variant"), admin.site),
    )
    named = f"item {place} to add"
    add_terms(form, named, units=f"{NEW_UNITS}{place}", price=f"{NEW_PRICE}{place}" if has_price else "")


def add_terms(form: PricedForm, of: str, *, units: str, price: str) -> None:
    """Add the quantity, at least 1, and the price of something to add, by these names; "" for no price."""
    field = _units_field(of, 1)
    field.validators.append(MinValueValidator(1, "At least 1."))
    field.widget.attrs["placeholder"] = 1
    form.fields[units] = field
    if price:
        form.fields[price] = _price_field(form, of, None)


def _units_field(of: str, initial: int) -> CountField:
    refusal = f"At most {MAX_QUANTITY}."
    return units_field(label="Quantity", of=of, initial=initial, most=MAX_QUANTITY, refusal=refusal)


def _price_field(form: PricedForm, of: str, initial: Decimal | None) -> AmountField:
    return AmountField(
        currency_code=form.currency_code,
        label="Unit price",
        required=False,
        initial=initial,
        min_value=Decimal(0),
        max_digits=15,
        decimal_places=4,
        widget=UnfoldAdminTextInputWidget(attrs={"aria-label": f"Unit price: {of}"}),
    )
