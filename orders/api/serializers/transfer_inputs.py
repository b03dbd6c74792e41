"""The inputs of transfers."""

from kit.rest.requests.input_fields import BooleanField, CharField
from kit.rest.requests.inputs import Input
from orders.transfers.requesting import MAX_DESCRIPTION_LENGTH


class TransferRequestInput(Input):
    """A request for an order of somebody else."""

    description = CharField(
        required=False, allow_null=True, max_length=MAX_DESCRIPTION_LENGTH, help_text="A note for staff."
    )
    update_order_email = BooleanField(
        required=False, help_text="Whether the order also gets the customer's email address."
    )


class TransferTokenInput(Input):
    """An answer to a request."""

    token = CharField(help_text="The token of the email.")
