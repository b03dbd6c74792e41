"""Inputs of payments."""

from commerce.kit.api.inputs import Input, Metadata, Text


class PaymentCollectionInput(Input):
    """The cart to pay for."""

    cart_id = Text()


class PaymentSessionInput(Input):
    """The provider to pay with, and data for it."""

    provider_id = Text()
    data = Metadata(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="Data for the provider."
    )
