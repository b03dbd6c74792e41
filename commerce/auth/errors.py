"""What signing in refuses."""

from commerce.kit.core.errors import Unauthorized


class WrongPassword(Unauthorized):
    """Or no such account: nobody is told which."""

    def __init__(self) -> None:
        super().__init__("Invalid email or password")


class EmailTaken(Unauthorized):
    """Somebody has an account of that e-mail. Storefronts compare the text."""

    def __init__(self) -> None:
        super().__init__("Identity with email already exists")


class InvalidToken(Unauthorized):
    """A token that is not ours, is used or expired, or is for something else."""

    def __init__(self) -> None:
        super().__init__("Invalid token")
