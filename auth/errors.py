"""The errors of signing in."""

from kit.errors import Unauthorized


class WrongPassword(Unauthorized):
    """The password is wrong, or there is no such account; the message is the same."""

    message = "Invalid email or password"


class EmailTaken(Unauthorized):
    """There is an account with that email. Storefronts compare the message."""

    message = "Identity with email already exists"


class InvalidAuthToken(Unauthorized):
    """The token is not one of ours, was used, has expired, or is for another purpose."""

    message = "Invalid token"
