"""Inputs for paying with gift cards and store credit."""

from commerce.kit.api.inputs import Amount, Input, Text


class GiftCardInput(Input):
    """A gift card."""

    code = Text(
        help_text="The card's code, in any letter case, or its id. To remove a card, its credit line's id works too."
    )


class StoreCreditInput(Input):
    """How much of the customer's store credit to use."""

    amount = Amount(
        required=False, allow_null=True, help_text="At most, in major units. The default is the whole balance."
    )
