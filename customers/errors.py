"""The errors of the customers app."""

from kit.domain.missing_row import RowNotFound
from kit.errors import Duplicate, InvalidData, NotAllowed


class CustomerNotFound(RowNotFound):
    """No customer with that id, or a deleted one."""

    noun = "Customer"


class AddressNotFound(RowNotFound):
    """The customer has no address with that id."""

    noun = "Address"


class TooManyAddresses(InvalidData):
    """The customer has settings.MAX_ADDRESSES addresses already."""

    def __init__(self, most: int) -> None:
        super().__init__(f"A customer can have at most {most} addresses")


class AlreadyACustomer(InvalidData):
    """The registration already has a customer."""

    message = "Request already authenticated as a customer."


class EmailMismatch(InvalidData):
    """The customer's email must be the registered one."""

    message = "Value for field 'email' must be the registered email"


class AccountExists(Duplicate):
    """Another customer with an account has the email."""

    message = "Customer with this email already has an account"


class CustomerHasNoLogin(NotAllowed):
    """The customer has no account, and so no password."""

    message = "The customer has no account"
