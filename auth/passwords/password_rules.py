"""The password rules of settings.AUTH_PASSWORD_VALIDATORS."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from kit.errors import InvalidData
from staff.models import User


def checked_password(password: str, *, email: str) -> str:
    """The password, unchanged. Raises InvalidData, naming the field and every broken rule.

    email: the account's email, which the password must not resemble.
    """
    try:
        validate_password(password, user=User(email=email))
    except ValidationError as error:
        raise InvalidData(f"Value for field 'password' is refused: {' '.join(error.messages)}") from None
    return password
