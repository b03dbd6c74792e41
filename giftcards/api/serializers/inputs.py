"""Inputs for paying with gift cards and store credit."""

from kit.rest.requests.input_fields import CharField, DecimalField
from kit.rest.requests.inputs import Input


class GiftCardInput(Input):
    """A gift card."""

    code = CharField(
        help_text="The card's code, in any letter case, or its id. To remove a card, its credit line's id works too."
    )


class StoreCreditInput(Input):
    """How much of the customer's store credit to use."""

    amount = DecimalField(
        required=False, allow_null=True, help_text="At most, in major units. The default is the whole balance."
    )
