"""Which passwords may be chosen: settings.AUTH_PASSWORD_VALIDATORS decides."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from commerce.kit.core.errors import InvalidData
from commerce.staff.models import User


def checked_password(password: str, *, email: str) -> str:
    """The password as it is. Raises InvalidData, naming the field and every rule that it breaks.

    email: the account's, which the password must not be like.
    """
    try:
        validate_password(password, user=User(email=email))
    except ValidationError as error:
        raise InvalidData(f"Value for field 'password' is refused: {' '.join(error.messages)}") from None
    return password
