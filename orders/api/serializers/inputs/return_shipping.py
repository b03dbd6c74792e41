"""The inputs of the shipping of returns. Only staff can set its price.

Why: docs/decisions/returns.md#customers-name-neither-price-nor-location.
"""

from typing import Any

from kit.rest.requests.input_fields import CharField, DecimalField, DictField
from kit.rest.requests.inputs import Input
from orders.returns.notes import LONGEST_NOTE
from orders.returns.shipping import ReturnShipping


class ReturnShippingInput(Input):
    """How the customer sends the units back. The price is deducted from the refund."""

    option_id = CharField(allow_blank=False, help_text="A shipping option for returns.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ReturnShipping(values["option_id"], values.get("custom_amount"), field="return_shipping.option_id")


class StaffReturnShippingInput(ReturnShippingInput):
    """How the customer sends the units back, at the option's price or another one."""

    custom_amount = DecimalField(required=False, allow_null=True, help_text="Instead of the option's price.")


class ReturnShippingChangesInput(Input):
    """Changes to the shipping of an open return. Metadata is merged."""

    custom_amount = DecimalField(required=False, allow_null=True, help_text="Instead of the option's price.")
    internal_note = CharField(
        required=False,
        allow_null=True,
        max_length=LONGEST_NOTE,
        help_text="Replaces the `internal_note` of the return.",
    )
    metadata = DictField(required=False, allow_null=True)


class ReturnShippingChoiceInput(ReturnShippingChangesInput):
    """The shipping of an open return."""

    shipping_option_id = CharField(allow_blank=False, help_text="A shipping option for returns.")
    description = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        note = {name: values.pop(name) for name in ("internal_note",) if name in values}
        option_id, amount = values.pop("shipping_option_id"), values.pop("custom_amount", None)
        return {"shipping": ReturnShipping(option_id, amount, **values, field="shipping_option_id"), **note}
