"""The errors of draft orders."""

from kit.domain.missing_row import RowNotFound, given_by
from kit.errors import InvalidData, NotAllowed, shown


class DraftNotFound(RowNotFound):
    """No draft has that id."""

    noun = "Draft order"


class DraftConverted(NotAllowed):
    """An order was made of the draft, which is changed in its place."""

    def __init__(self, draft_id: str) -> None:
        super().__init__(f"Draft order {draft_id} was converted: change its order")


class OptionNotForDraft(InvalidData):
    """The option does not exist, or does not deliver to the draft's address."""

    def __init__(self, option_id: str) -> None:
        message = f"Shipping option with id: {shown(option_id)} does not deliver to the address of this draft"
        super().__init__(given_by(message, "shipping_option_id"))


class NamedTwice(InvalidData):
    """A line or shipping method is listed more than once."""

    def __init__(self, named_id: str) -> None:
        super().__init__(f"{shown(named_id)} is named more than once")
