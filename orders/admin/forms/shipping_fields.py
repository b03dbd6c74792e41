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
    code = form.order.currency_id
    form.fields[name] = forms.ChoiceField(
        label=label,
        choices=[("", "None"), *((option.id, _described(option, code)) for option in options)],
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=help_text,
    )
    if has_price:
        form.fields[amount] = AmountField(
            currency_code=code,
            label=f"Price of {label.lower()}",
            min_value=Decimal(0),
            max_digits=15,
            decimal_places=4,
            required=False,
            help_text=f"In {currency_name(code)}, before taxes unless the option's price includes them. By default the "
            "option's price.",
        )
    form.names |= {option.id: option.row.name for option in options}


def check_shipping(form: ActionForm, name: str, options: Sequence[AvailableOption], *, amount: str = AMOUNT) -> None:
    """Refuse a price without an option, and an option without a price."""
    option_id, price = form.cleaned_data[name], form.cleaned_data.get(amount)
    if price is not None and not option_id:
        form.add_error(name, "Choose the shipping that the price is for.")
    if price is None and any(option.id == option_id and option.price is None for option in options):
        form.add_error(amount, "This option has no price: enter one.")


def _described(option: AvailableOption, currency_code: str) -> str:
    price = option.price and shown(major(option.price.amount), currency_code)
    return f"{option.row.name}, {price or 'without a price'}"
