"""Inputs of payments."""

from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input


class PaymentCollectionInput(Input):
    """The cart to pay for."""

    cart_id = CharField()


class PaymentSessionInput(Input):
    """The provider to pay with, and data for it."""

    provider_id = CharField()
    data = DictField(  # type: ignore[assignment]  # DRF's own word too
        required=False, allow_null=True, help_text="Data for the provider."
    )
