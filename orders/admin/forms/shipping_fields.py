"""The fields that choose a shipping option for an order, and its price."""

from collections.abc import Sequence
from decimal import Decimal

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from fulfillment.options.available_options import AvailableOption
from kit.admin.forms.amount_fields import AmountField
from kit.admin.lists.amounts import shown
from kit.values.currencies import currency_name
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm

AMOUNT = "custom_amount"


def add_shipping_fields(
    form: ActionForm,
    name: str,
    options: Sequence[AvailableOption],
    *,
    label: str,
    help_text: str,
    has_price: bool,
    amount: str = AMOUNT,
) -> None:
    """Add the option's field, of that name, and that of its price, `amount`. has_price: whether staff may set one.

    Without it, options that have no price are left out.
    """
    options = [option for option in options if has_price or option.price is not None]
    if not options and name not in form.data:
        return
    code = form.currency_code
    form.fields[name] = forms.ChoiceField(
        label=label,
        choices=[("", "None"), *((option.id, described(option, code)) for option in options)],
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=help_text,
    )
    if has_price:
        form.fields[amount] = shipping_price(code, label=f"Price of {label.lower()}")
    form.names |= {option.id: option.row.name for option in options}


def check_shipping(form: ActionForm, name: str, options: Sequence[AvailableOption], *, amount: str = AMOUNT) -> None:
    """Refuse a price without an option, and an option without a price."""
    option_id, price = form.cleaned_data[name], form.cleaned_data.get(amount)
    if price is not None and not option_id:
        form.add_error(name, "Choose the shipping that the price is for.")
    if price is None and any(option.id == option_id and option.price is None for option in options):
        form.add_error(amount, "This option has no price: enter one.")


def shipping_price(currency_code: str, *, label: str) -> AmountField:
    """The field of a price that staff set."""
    return AmountField(
        currency_code=currency_code,
        label=label,
        min_value=Decimal(0),
        max_digits=15,
        decimal_places=4,
        required=False,
        help_text=f"In {currency_name(currency_code)}, before taxes unless the option's price includes them. By "
        "default the option's price.",
    )


def described(option: AvailableOption, currency_code: str) -> str:
    """`Express, $12.00`."""
    price = option.price and shown(major(option.price.amount), currency_code)
    return f"{option.row.name}, {price or 'without a price'}"
