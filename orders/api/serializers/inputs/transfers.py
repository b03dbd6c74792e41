"""The inputs of transfers."""

from kit.rest.requests.input_fields import BooleanField, CharField
from kit.rest.requests.inputs import Input
from orders.access.transfers.requesting import MAX_DESCRIPTION_LENGTH
from orders.managing.notes import LONGEST_NOTE


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


class CustomerTransferInput(TransferRequestInput):
    """A request for an order on behalf of a customer."""

    customer_id = CharField(allow_blank=False, help_text="A customer with an account.")
    internal_note = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="Kept as a note of the order."
    )


class GuestTransferInput(Input):
    """The guest who gets an order."""

    email = CharField(allow_blank=False, help_text="Also where the emails of the order go.")
    description = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="Kept as a note of the order."
    )
    internal_note = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="Kept as a note of the order."
    )
