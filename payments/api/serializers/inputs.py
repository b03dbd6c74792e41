"""What may be sent to pay."""

from commerce.kit.api.inputs import Input, Metadata, Text


class PaymentCollectionInput(Input):
    """The cart that is to be paid."""

    cart_id = Text()


class PaymentSessionInput(Input):
    """Through whom."""

    provider_id = Text()
    data = Metadata(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="What the provider wants to know."
    )
