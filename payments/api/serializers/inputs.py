"""What may be sent to pay."""

from commerce.kit.api.input_fields import CharField, DictField
from commerce.kit.api.inputs import Input


class PaymentCollectionInput(Input):
    """The cart that is to be paid."""

    cart_id = CharField()


class PaymentSessionInput(Input):
    """Through whom."""

    provider_id = CharField()
    data = DictField(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="What the provider wants to know."
    )
