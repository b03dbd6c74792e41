"""What may be sent to pay for a cart with gift cards and store credit."""

from commerce.kit.api.input_fields import CharField, DecimalField
from commerce.kit.api.inputs import Input


class GiftCardInput(Input):
    """A gift card."""

    code = CharField(
        help_text="Its code, in any letter case, or its id; to take it off, also the id of its credit line."
    )


class StoreCreditInput(Input):
    """How much of the customer's store credit shall pay."""

    amount = DecimalField(
        required=False, allow_null=True, help_text="At most, in major units; without it, all there is."
    )
